"""The generator's command: ``little-go generator``."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

import solver.native.needed  # noqa: F401 - first, for its one line instead of a traceback
from book.commands.options import db_to_read, store_path
from book.files.atlas import AtlasError
from book.store.connection import named_game
from book.store.facts import StoreError
from book.store.store import open_store
from generator.commands.atlas import atlas
from generator.commands.closure import closure
from generator.commands.run_options import even, plies_option, searching, workshop_of
from generator.questions.shorter_games import ShorterGames
from generator.report.progress import solved_line
from generator.report.status import status_record, status_text
from generator.workers.search_crew import CrewError
from generator.workers.workshop import Settings
from runtime.errors import OneLineErrors, writing
from runtime.files import remove_all
from runtime.options import DIRECTORY, json_option, setting
from runtime.release import shipped
from solver.family import COURSE


@click.group(cls=OneLineErrors, expected=(StoreError, CrewError, AtlasError), misuse=(ValueError,))
def main() -> None:
    """Solve games of 8, 10, 12, … plies, and keep what is proven in a store."""


@main.command()
@searching
@plies_option
def run(plies: int, **settings: Any) -> None:
    """Decide who wins the games of 8, 10, 12, … plies in turn, and who wins after each first move.

    The results go into the store. You can stop it at any moment, with Ctrl-C or kill -9: the same command resumes. It
    exits with 0 when all is solved or the budget is spent, and with 130 after Ctrl-C.
    """
    _climb(Settings(**settings, game=COURSE), plies, exact=False)


@main.command()
@searching
@plies_option
def solve(plies: int, **settings: Any) -> None:
    """Find the exact value of the longest game, and the value after each of its first moves.

    The results go into the store. It first does what `run` does, because that guides the search. It stops and resumes
    as `run` does.
    """
    _climb(Settings(**settings, game=COURSE), plies, exact=True)


def _climb(settings: Settings, plies: int, *, exact: bool) -> None:
    with workshop_of(settings, {"plies": even(plies), "exact": exact}) as (shop, display):
        games = ShorterGames(shop, display.standing, COURSE)
        games.solve_all(plies, exact, lambda solved: display.finished(solved_line(solved, COURSE)))


@main.command()
@db_to_read
@json_option("Answer in JSON.")
def status(db: Path | None, as_json: bool) -> None:
    """Show what a store holds: the solved games, positions by ply, the runs."""
    path = store_path(db)
    with open_store(path, game=named_game(path)) as store:
        record = status_record(store)
    click.echo(json.dumps(record) if as_json else status_text(record))


#: The files, in the order in which they are made; the last one marks the end.
_STORE, _BOOK, _PLAYER, _DONE = "book.db", "book.json", "my_player3.py", "done"

#: How another command is called: modules of the directory in which the demo runs are none of ours.
_CALL = "import sys; sys.path.remove(''); from little_go.__main__ import main; main(prog_name='little-go')"


@main.command()
@setting("--out", DIRECTORY, Path("demo"), "A directory for the database, the book and the player.")
def demo(out: Path) -> None:
    """Solve the game from nothing, make a player of it, and play a game as each colour: 1.5 minutes.

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


for command in (closure, atlas):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="python -m generator")
