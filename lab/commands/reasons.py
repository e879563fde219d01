"""``python -m lab reasons``: how well reasons explain mistakes."""

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import click

from arena.commands.game_options import logged_option
from book.answers.reasons import ExactOracle, Explanation, explained
from book.files.games import read_games
from lab.games.explained import Told, table
from runtime.display import tracked
from runtime.options import COUNT, seed_option, setting
from solver.family import COURSE
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import PASS, POINTS, START, Position, move_name

#: For ten mistakes of logged games so many of random play are measured.
_OF_RANDOM_PLAY = 3

#: In random play a stone comes before a PASS, but for so many turns in a hundred.
_PASSES = 5

#: Every so many mistakes are explained again, on an empty table.
_AGAIN = 10

_TABLE_MIB = 256


class ExplainedMove(NamedTuple):
    """A move that is worse than the best one, and why."""

    position: Position
    move: int
    found: Explanation

    def told(self) -> Told:
        """Return it as the reader wants it."""
        position, found = self.position, self.found
        stones = {"X": position.black, "O": position.white}
        return Told(
            {move_name(p): colour for colour, mask in stones.items() for p in range(POINTS) if mask >> p & 1},
            position.ply,
            position.passed,
            list(map(move_name, found.worse)),
            list(map(move_name, found.better)),
            (found.reason.worse, found.reason.better),
            found.reason.kind,
        )


@click.command()
@logged_option
@setting(
    "--positions", COUNT, 1000, "How many positions of logged games; of random play there are three for ten of them."
)
@seed_option("Chooses the mistakes.")
def reasons(logged: Path, positions: int, seed: int) -> None:
    """Measure how many reasons explain a mistake, and check each sentence on a board of the lab's own.

    A tenth of the mistakes is explained a second time, on an empty table, and must get the same words.
    """
    steps = logged_steps(logged, seed)
    played = random_steps(seed)
    for name, drawn, count in (
        ("Logged games", steps, positions),
        ("Random play", played, positions * _OF_RANDOM_PLAY // 10),
    ):
        mistakes = list(tracked(islice(mistakes_of(drawn), count), name, count))
        again = mistakes[::_AGAIN]
        changed = sum(explained(each.position, each.move, _judge(), game=COURSE) != each.found for each in again)
        click.echo(f"{name}:")
        click.echo("\n".join(table(each.told() for each in mistakes)))
        click.echo(f"changed the second time: {changed} of {len(again)}\n")


def logged_steps(logged: Path, seed: int) -> Iterator[tuple[Position, int]]:
    """Yield all moves of logged games, shuffled."""
    steps = [step for game in read_games(logged) for step in game.steps()]
    random.Random(seed).shuffle(steps)
    yield from steps


def random_steps(seed: int) -> Iterator[tuple[Position, int]]:
    """Yield a move of each of many games of random play, by a seed."""
    rng = random.Random(seed)
    while True:
        game, position = [], START
        while not position.is_over:
            *stones, _ = position.legal_moves()
            move = rng.choice(stones) if stones and rng.randrange(100) >= _PASSES else PASS
            game.append((position, move))
            position = position.play(move)
        yield rng.choice(game)


def mistakes_of(steps: Iterable[tuple[Position, int]]) -> Iterator[ExplainedMove]:
    """Yield those of some moves that are worse than the best."""
    judge = _judge()
    for position, move in steps:
        found = explained(position, move, judge, game=COURSE)
        if found is not None:
            yield ExplainedMove(position, move, found)


def _judge() -> ExactOracle:
    return ExactOracle(Kernel(open_table(_TABLE_MIB)))
