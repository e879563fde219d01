"""``little-go demo``: from nothing to a player that wins, by the commands that anyone would type."""

import shutil
import subprocess
import sys
from pathlib import Path

import click

from runtime.errors import writing
from runtime.files import remove_all
from runtime.options import DIRECTORY, setting
from runtime.release import shipped

#: The files, in the order in which they are made; the last one marks the end.
_STORE, _BOOK, _PLAYER, _DONE = "book.db", "book.json", "my_player3.py", "done"

#: How another command is called: modules of the directory in which the demo runs are none of ours.
_CALL = "import sys; sys.path.remove(''); from little_go.__main__ import main; main(prog_name='little-go')"


@click.command()
@setting("--out", DIRECTORY, Path("demo"), "A directory for the database, the book and the player.")
def demo(out: Path) -> None:
    """Solve the game from nothing, make a player of it, and play a game as each colour.

    Ctrl-C stops it, and the same command resumes. When it has ended, it starts from nothing again.
    """
    store, book, player = out / _STORE, out / _BOOK, out / _PLAYER
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        if (out / _DONE).exists():
            for path in [*out.glob(f"{_STORE}*"), book, player, out / _DONE]:
                remove_all(path)
    _say("Solving: games of 8, 10, 12, ... plies; after Ctrl-C, the same command resumes")
    _call("generator", "run", "--db", store, "--workers", "2", "--table", "256MiB")
    _say("Compressing")
    _call("book", "compress", "--all", "--db", store, "--out", book)
    with writing(player):
        shutil.copyfile(shipped(_PLAYER), player)
    _say("Playing: our player as Black")
    _call("play", "--black", player, "--white", "greedy")
    _say("Playing: our player as White")
    _call("play", "--black", "greedy", "--white", player)
    _say("The opening in the database")
    _call("query", "--db", store, "--only", "store")
    with writing(out):
        (out / _DONE).touch()


def _say(heading: str) -> None:
    click.echo(f"--- {heading}")
    sys.stdout.flush()


def _call(*words: str | Path) -> None:
    """Call a command of ours; where it fails it has said why, and this process ends with its exit code."""
    done = subprocess.run([sys.executable, "-c", _CALL, *map(str, words)], check=False)
    if done.returncode:
        sys.exit(done.returncode)
