"""Showing a run: a live line on a terminal, plain lines elsewhere."""

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from generator.closure import Level
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
        elapsed = time.monotonic() - self._started
        self._show(describe(standing, elapsed), elapsed, self._budget)

    def part(self, line: str, done: int, total: int) -> None:
        """Show what is being done, and how much of it is."""
        self._show(f"{line}: {done:,} of {total:,}", done, total)

    def _show(self, line: str, completed: float, total: float | None) -> None:
        now = time.monotonic()
        if self._console.is_terminal:
            self._bar.update(self._task, description=line, completed=min(completed, total or 0.0), total=total)
        elif now - self._last_line >= PLAIN_INTERVAL:
            self._last_line = now
            self._console.print(f"{now - self._started:5.0f} s  {line}", soft_wrap=True)

    def finished(self, line: str) -> None:
        """Print a finished part of the work, to stay."""
        self._console.print(line, soft_wrap=True)


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
