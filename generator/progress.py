"""What the generator shows of a run."""

from generator.closure import Level
from generator.ladder import Solved, Standing
from runtime.display import Display
from solver.answer import BLACK_WINS


class RunDisplay(Display):
    """A display that knows a run's budget of time."""

    def __init__(self, budget: float | None) -> None:
        """budget: seconds that the run may take, or None."""
        super().__init__()
        self._budget = budget

    def standing(self, standing: Standing) -> None:
        """Show the question at hand."""
        elapsed = self.elapsed
        self.show(describe(standing, elapsed), elapsed, self._budget)


def describe(standing: Standing, elapsed: float) -> str:
    """Return the question at hand in one line."""
    rate = standing.all_nodes / elapsed / 1e6 if elapsed > 0 else 0.0
    return (
        f"{standing.left} plies left, {standing.threshold:+d} or more? "
        f"{standing.nodes / 1e6:,.1f} M nodes, {rate:.1f} M/s, {standing.facts:,} facts"
    )


def solved_line(solved: Solved) -> str:
    """Return a finished part of the work in one line.

    >>> solved_line(Solved(" 8 plies", -24, 2, 2_500_000, 3.0))
    ' 8 plies              White wins, -24 to +2         2.5 M nodes    3.0 s'
    """
    winner = "Black" if solved.lo >= BLACK_WINS else "White"
    value = f"{solved.lo:+d}" if solved.lo == solved.hi else f"{solved.lo:+d} to {solved.hi:+d}"
    return (
        f"{solved.name:20}  {winner + ' wins, ' + value:22} "
        f"{solved.nodes / 1e6:10,.1f} M nodes  {solved.seconds:5.1f} s"
    )


def level_line(colour: str, level: Level) -> str:
    """Return a finished level of a closure in one line.

    >>> level_line("black", Level(ply=8, positions=5492, won=5492, alone=1200))
    'black, ply  8:    5,492 positions, 5,492 won (1,200 by the player alone), 0 lost'
    """
    return (
        f"{colour}, ply {level.ply:2d}: {level.positions:8,} positions, "
        f"{level.won:,} won ({level.alone:,} by the player alone), {level.positions - level.won:,} lost"
    )
