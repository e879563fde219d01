"""Show the progress of a long job on standard error, as a bar if the terminal can draw it, or else as lines."""

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import TYPE_CHECKING, Protocol, TypeVar

from little_go.runtime.terminal import PrintableStream, printable, unguarded

if TYPE_CHECKING:
    from rich.console import Console

_Display = TypeVar("_Display", bound="Display")
_Item = TypeVar("_Item")

#: The minimum seconds between two lines of text, and the minimum as a share of the time since the start. During a long
#: job the interval grows, so that the job does not print too many lines.
PLAIN_INTERVAL, PLAIN_SHARE = 10.0, 1 / 60

#: Minimum seconds between two updates of a loop's progress.
_LOOK = 0.1


class Display:
    """A context manager that shows the progress of a job."""

    def __init__(
        self, interval: float = PLAIN_INTERVAL, *, patience: float | None = None, forecast: bool = True
    ) -> None:
        """Prepare the display. interval: seconds between two lines of text.

        patience: seconds until progress is first shown, or None to show a bar immediately and the first line of text
        after the interval. forecast: whether the bar shows the estimated time left.
        """
        # Import rich only here, because the import takes a fifth of the time that a command needs to start, and
        # most commands show no progress.
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        # Draw the bar on the unguarded stream, because guarded() would escape its control sequences.
        self._console = Console(file=unguarded(sys.stderr), highlight=False, markup=False)
        self._interval = interval
        self._started = time.monotonic()
        self._patience = patience
        self._due = self._started + (interval if patience is None else patience)
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            TimeElapsedColumn(),
            *([TimeRemainingColumn()] if forecast else []),
            console=self._console,
            transient=True,
            disable=not _draws(self._console),
            # If standard output is a file, do not redirect it, because its text would go to standard error.
            redirect_stdout=sys.stdout.isatty(),
        )
        self._task = self._bar.add_task("starting", total=None)

    def __enter__(self: _Display) -> _Display:
        if self._patience is None:
            self._start()
        return self

    def _start(self) -> None:
        if self._bar.live.is_started:
            return
        self._bar.start()
        # On a terminal, rich has replaced our streams by its own streams, which print above the bar.
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if not isinstance(stream, PrintableStream):
                setattr(sys, name, PrintableStream(stream))

    def __exit__(self, *_: object) -> None:
        self.hide()

    @property
    def elapsed(self) -> float:
        """The seconds since the job began."""
        return time.monotonic() - self._started

    def show(self, line: str, completed: float, total: float | None) -> None:
        """Show a line about the current work. total: the amount of all work, or None if the amount is unknown."""
        elapsed, line = self.elapsed, printable(line)
        if _draws(self._console):
            if elapsed >= (self._patience or 0.0):
                self._start()
                self._bar.update(self._task, description=line, completed=completed if total else 0.0, total=total)
        elif self._started + elapsed >= self._due:
            self._due = self._started + elapsed + max(self._interval, elapsed * PLAIN_SHARE)
            self._console.print(f"{elapsed:5.0f} s  {line}", soft_wrap=True)

    def hide(self) -> None:
        """Remove the bar until the next call of show(), so that text can be printed."""
        # If there is no terminal, rich prints an empty line when a bar that was never started is stopped.
        if self._bar.live.is_started:
            self._bar.stop()

    def part(self, line: str, done: int, total: int) -> None:
        """Show a line about the current work. done, total: the numbers of finished items and of all items."""
        self.show(f"{line}: {done:,} of {total:,}", done, total)

    def finished(self, line: str) -> None:
        """Print a line about a finished part of the work, which stays above the bar."""
        self._console.print(printable(line), soft_wrap=True)


def _draws(console: "Console") -> bool:
    """Return whether a console can draw a bar, unlike, for example, the shell of an editor (TERM=dumb)."""
    return console.is_terminal and not console.is_dumb_terminal


def tracked(items: Iterable[_Item], what: str = "Reading", total: int | None = None) -> Iterable[_Item]:
    """Return the items, and on a terminal show the progress of the loop over the items by a bar.

    what: the name of the work. total: the number of items, which can be omitted if the items have a length.
    """
    from rich.console import Console

    if not _draws(Console(stderr=True)):
        return items
    return _shown(items, what, len(items) if total is None and isinstance(items, Sized) else total)


def _shown(items: Iterable[_Item], what: str, total: int | None) -> Iterator[_Item]:
    with Display() as display:
        due = 0.0
        for done, item in enumerate(items):
            if time.monotonic() >= due:
                due = time.monotonic() + _LOOK
                display.show(f"{what}: {done:,}" + (f" of {total:,}" if total else ""), done, total)
            yield item


class Watch(Protocol):
    """A function such as tracked(), which shows the progress of a loop over items."""

    def __call__(self, items: Iterable[_Item], what: str = "Reading", /) -> Iterable[_Item]:
        """Return the items. what: the name of the work."""


def unwatched(items: Iterable[_Item], _what: str = "", /) -> Iterable[_Item]:
    """Yield the items without showing progress.

    >>> list(unwatched([3, 1]))
    [3, 1]
    """
    return items
