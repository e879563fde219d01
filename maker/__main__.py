"""The commands ``little-go make`` and ``little-go family``."""

import csv
import sys
from pathlib import Path

import click

import little_go.solver.native.needed  # noqa: F401 - first, because without a kernel it prints one line, not a traceback
from little_go.book.commands.options import game_options
from little_go.book.files.reader import BookError
from little_go.book.store.facts import Contradiction, StoreError
from little_go.generator.workers.search_crew import CrewError
from little_go.maker.chain import StepError, make_all
from little_go.maker.folder import FolderError, open_folder
from little_go.maker.lengths import COLUMNS, length_line, lengths
from little_go.player.build import BuildError
from little_go.proof.verify import ScriptError
from little_go.runtime.errors import BadUsage, OneLineErrors, exit_interrupted
from little_go.runtime.journal import JournalError
from little_go.runtime.options import DIRECTORY, setting, table_option, workers_option
from little_go.solver.family import COURSE, LEAST_PLIES, Variant
from little_go.solver.native.kernel import MOST_LEFT


@click.group(
    cls=OneLineErrors,
    room="maker",
    expected=(StoreError, BookError, BuildError, CrewError, FolderError, JournalError, ScriptError),
    findings=(Contradiction, StepError),
)
def main() -> None:
    """Make a game of the family: from its length and komi to a checked player."""


@main.command()
@game_options
@click.option("--out", type=DIRECTORY, required=True)
@workers_option()
@table_option("256MiB")
def make(game: Variant, out: Path, workers: int, table_mib: int) -> None:
    """Make the player of a game from its rules, and check the player.

    The command solves the game, chooses a move in every position to which an opponent can lead the player, and writes
    book.json and my_player3.py. The command then plays the script through all of these positions, and writes and checks
    a certificate of the winner. README.md in the directory lists the results. You can stop the command at any moment,
    with Ctrl-C or kill -9: the same command resumes.
    """
    with open_folder(out, game) as folder:
        if not make_all(folder, workers, table_mib):
            exit_interrupted("Not finished; the same command resumes")


@main.command()
@setting("--plies", click.INT, COURSE.plies)
@workers_option()
@table_option("256MiB")
@click.option("--csv", "as_csv", is_flag=True)
def family(plies: int, workers: int, table_mib: int, as_csv: bool) -> None:
    """List the values of the games of 2, 4, 6, … plies.

    Each line also contains Black's best first moves. The value is Black's stones minus White's under best play. Black
    wins a game if its komi is less than its value. The list can contain games of up to 30 plies. `make` can make games
    of up to 24 plies.
    """
    if not LEAST_PLIES <= plies <= MOST_LEFT or plies % 2:
        raise BadUsage(f"--plies is {plies}: give an even number of plies, {LEAST_PLIES} to {MOST_LEFT}")
    if as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(COLUMNS)
    else:
        click.echo("plies  value        nodes       time   best first moves")
    for length in lengths(plies, workers, table_mib):
        if as_csv:
            writer.writerow(length.record())
            sys.stdout.flush()
        else:
            click.echo(length_line(length))


if __name__ == "__main__":
    main(prog_name=f"python -m {__package__}")
