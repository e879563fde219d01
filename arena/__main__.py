"""The arena's command: ``python -m arena``."""

import click

import solver.native.needed  # noqa: F401 - first, for its one line instead of a traceback
from arena.commands.agreement import agreement
from arena.commands.bench import bench
from arena.commands.doctor import doctor
from arena.commands.grade import grade
from arena.commands.gtp import gtp
from arena.commands.ladder import ladder
from arena.commands.play import play
from arena.commands.puzzle import puzzle
from arena.commands.replay import replay
from arena.commands.review import review
from arena.commands.tictactoe import tictactoe
from arena.commands.tournament import tournament
from arena.commands.train import train
from arena.learning.run import CheckpointError
from arena.match.process import RunnerError
from arena.match.sandbox import SandboxError
from arena.standings.entrants import UnknownAgent
from arena.standings.tournament import TournamentError
from book.files.games import GamesError
from book.files.puzzles import PuzzlesError
from book.files.reader import BookError
from runtime.errors import OneLineErrors


@click.group(
    cls=OneLineErrors,
    expected=(RunnerError,),
    misuse=(BookError, CheckpointError, GamesError, PuzzlesError, SandboxError, TournamentError, UnknownAgent),
)
def main() -> None:
    """Play games of Little-Go, judged as the course's host judges them."""


for command in (
    agreement,
    bench,
    doctor,
    grade,
    gtp,
    ladder,
    play,
    puzzle,
    replay,
    review,
    tictactoe,
    tournament,
    train,
):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="python -m arena")
