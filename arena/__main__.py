"""The command ``little-go arena``."""

import click

import little_go.solver.native.needed  # noqa: F401 - first, for its one line instead of a traceback
from little_go.arena.classroom.canvas import BadExport
from little_go.arena.classroom.database import BadDatabase
from little_go.arena.classroom.outputs import IncompleteClass
from little_go.arena.classroom.places import BadPlace
from little_go.arena.classroom.staff_tables import BadLateDays, BadRegrades
from little_go.arena.commands.classroom import grade_class
from little_go.arena.commands.doctor import doctor
from little_go.arena.commands.exam import exam, puzzle
from little_go.arena.commands.play import play
from little_go.arena.commands.review import review
from little_go.arena.commands.tournament import grade, tournament
from little_go.arena.commands.train import tictactoe, train
from little_go.arena.exam.paper import ExamError
from little_go.arena.gtp.engine import gtp
from little_go.arena.learning.littlego import ValueTableError
from little_go.arena.match.limits import RunnerError, SandboxError
from little_go.arena.standings.entrants import UnknownAgent
from little_go.arena.standings.tournament import TournamentError
from little_go.book.files.games import GamesError
from little_go.book.files.puzzles import PuzzlesError
from little_go.book.files.reader import BookError
from little_go.runtime.errors import OneLineErrors


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
    """Play games of Little-Go, judged like the course's host."""


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
    main(prog_name=f"python -m {__package__}")
