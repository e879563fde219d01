"""The arena's command: ``little-go arena``."""

import click

import solver.native.needed  # noqa: F401 - first, for its one line instead of a traceback
from arena.classroom.canvas import BadExport
from arena.classroom.database import BadDatabase
from arena.classroom.outputs import IncompleteClass
from arena.classroom.places import BadPlace
from arena.classroom.staff_tables import BadLateDays, BadRegrades
from arena.commands.classroom import grade_class
from arena.commands.doctor import doctor
from arena.commands.exam import exam, puzzle
from arena.commands.play import play
from arena.commands.review import review
from arena.commands.tournament import grade, tournament
from arena.commands.train import tictactoe, train
from arena.exam.paper import ExamError
from arena.gtp.engine import gtp
from arena.learning.littlego import ValueTableError
from arena.match.limits import RunnerError, SandboxError
from arena.standings.entrants import UnknownAgent
from arena.standings.tournament import TournamentError
from book.files.games import GamesError
from book.files.puzzles import PuzzlesError
from book.files.reader import BookError
from runtime.errors import OneLineErrors


@click.group(
    cls=OneLineErrors,
    room="arena",
    findings=(IncompleteClass,),
    expected=(
        BadDatabase,
        BadExport,
        BadLateDays,
        BadPlace,
        BadRegrades,
        BookError,
        ExamError,
        GamesError,
        PuzzlesError,
        RunnerError,
        SandboxError,
        TournamentError,
        UnknownAgent,
        ValueTableError,
    ),
)
def main() -> None:
    """Play games of Little-Go, judged as the course's host judges them."""


for command in (
    doctor,
    exam,
    grade,
    grade_class,
    gtp,
    play,
    puzzle,
    review,
    tictactoe,
    tournament,
    train,
):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="python -m arena")
