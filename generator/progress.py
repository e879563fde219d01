"""Showing a run: a live line on a terminal, plain lines elsewhere."""

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from generator.ladder import Solved, Standing
from solver.answer import BLACK_WINS

#: Seconds between plain lines.
PLAIN_INTERVAL = 10.0


class Display:
    """Shows where a run stands, on standard error; a context manager."""

    def __init__(self, budget: float | None) -> None:
        """budget: seconds that the run may take, or None."""
        self._console = Console(stderr=True, highlight=False)
        self._budget = budget
        self._started = time.monotonic()
        self._last_line = self._started
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("starting", total=budget)

    def __enter__(self) -> "Display":
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def standing(self, standing: Standing) -> None:
        """Show the question at hand."""
        now = time.monotonic()
        elapsed = now - self._started
        line = describe(standing, elapsed)
        if self._console.is_terminal:
            completed = min(elapsed, self._budget) if self._budget else None
            self._bar.update(self._task, description=line, completed=completed)
        elif now - self._last_line >= PLAIN_INTERVAL:
            self._last_line = now
            self._console.print(f"{elapsed:5.0f} s  {line}", soft_wrap=True)

    def solved(self, solved: Solved) -> None:
        """Print a finished part of the work, to stay."""
        self._console.print(solved_line(solved), soft_wrap=True)


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
