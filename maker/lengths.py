"""The values of the games of the family, by length. The value does not depend on the komi, but the winner does."""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from little_go.solver.family import LEAST_PLIES
from little_go.solver.native import distinct_steps
from little_go.solver.native.moves import MoveSolver
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, START, Position, move_name

#: The columns of the CSV table.
COLUMNS = ("plies", "value", "best", "nodes", "seconds")


@dataclass(frozen=True)
class Length:
    """The result for the games of one length.

    value: Black's stones minus White's at the end under best play. Black wins if the komi is less than the value. best:
    Black's first moves that keep the value, but only one move of each class of symmetric moves. nodes, seconds: the
    cost of finding the value of every first move, after all shorter games.
    """

    plies: int
    value: int
    best: tuple[str, ...]
    nodes: int
    seconds: float

    def record(self) -> list[str]:
        """Return the values of the fields in COLUMNS."""
        return [str(self.plies), str(self.value), " ".join(self.best), str(self.nodes), f"{self.seconds:.1f}"]


def lengths(longest: int, threads: int, mib: int) -> Iterator[Length]:
    """Yield the results for games of 2, 4, … plies up to ``longest``, searched with one table of ``mib`` MiB."""
    solver = MoveSolver(open_table(mib), threads)
    for plies in range(LEAST_PLIES, longest + 1, 2):
        started, before = time.monotonic(), solver.nodes
        start = Position(ply=GAME_PLIES - plies, passed=plies != GAME_PLIES)
        answers = solver.solve(start)
        value = max(answer.lo for answer in answers.values())
        # The first moves that are not symmetric to each other are the same at every length.
        best = tuple(move_name(step.move) for step in distinct_steps(START) if answers[step.move].lo == value)
        yield Length(plies, value, best, solver.nodes - before, time.monotonic() - started)


def length_line(length: Length) -> str:
    """Return a row of the table that is printed for people.

    >>> length_line(Length(4, 0, ("0,0", "PASS"), 1234, 0.1))
    '   4     +0        1,234      0.1 s   0,0 PASS'
    """
    return (
        f"{length.plies:4}  {length.value:+5}  {length.nodes:11,}  {length.seconds:7,.1f} s   {' '.join(length.best)}"
    )
