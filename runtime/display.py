"""Showing a long job: a bar on a terminal, a plain line now and then elsewhere; on standard error."""

import time
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_Display = TypeVar("_Display", bound="Display")

#: Seconds between plain lines. Those of a long job are a share of its time so far apart, or hours would fill pages.
PLAIN_INTERVAL, PLAIN_SHARE = 10.0, 1 / 60


class Display:
    """A display of a job's progress; a context manager."""

    def __init__(self, interval: float = PLAIN_INTERVAL, *, forecast: bool = True) -> None:
        """interval: seconds between plain lines. forecast: whether the bar tells the time left, by its own length."""
        self._console = Console(stderr=True, highlight=False)
        self._interval = interval
        self._started = self._last_line = time.monotonic()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TimeElapsedColumn(),
            *([TimeRemainingColumn()] if forecast else []),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("starting", total=None)

    def __enter__(self: _Display) -> _Display:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    @property
    def elapsed(self) -> float:
        """Seconds since the job began."""
        return time.monotonic() - self._started

    def show(self, line: str, completed: float, total: float | None) -> None:
        """Show what is being done; ``total`` None: nobody knows how much there is."""
        now = time.monotonic()
        if self._console.is_terminal:
            self._bar.update(self._task, description=line, completed=completed if total else 0.0, total=total)
        elif now - self._last_line >= max(self._interval, self.elapsed * PLAIN_SHARE):
            self._last_line = now
            self._console.print(f"{now - self._started:5.0f} s  {line}", soft_wrap=True)

    def part(self, line: str, done: int, total: int) -> None:
        """Show what is being done, and how much of it is."""
        self.show(f"{line}: {done:,} of {total:,}", done, total)

    def finished(self, line: str) -> None:
        """Print a finished part of the work, to stay."""
        self._console.print(line, soft_wrap=True)
