"""Show that a long run is alive: a bar on a terminal, else a line now and then."""

import math
import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from solver.position import GAME_PLIES

#: Seconds before anything is shown, and between two lines off the terminal.
PATIENCE, PAUSE = 2.0, 10.0


class Progress:
    """Progress through a number of games, on standard error; a context manager.

    With ``hidden`` nothing is shown: a person playing on the terminal sees that time passes.
    """

    def __init__(self, games: int, hidden: bool) -> None:
        self._games = games
        self._done = 0
        self._next = math.inf if hidden else time.monotonic() + PATIENCE
        self._bar = Bar(
            TextColumn("games"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[ply]}"),
            console=Console(stderr=True),
            transient=True,
            # Else rich would send what others print on standard output to standard error.
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._bar.add_task("games", total=games, ply="")

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self.hide()

    def ply(self, number: int) -> None:
        """Show that ply ``number`` of the running game has been played."""
        self._show(f"ply {number}/{GAME_PLIES}")

    def game(self) -> None:
        """Show that one more game has been played."""
        self._done += 1
        self._show("")

    def hide(self) -> None:
        """Clear the bar, so that text can be printed, until there is new progress to show."""
        # Off a terminal, stopping a bar that never started prints an empty line.
        if self._bar.live.is_started:
            self._bar.stop()

    def _show(self, ply: str) -> None:
        if time.monotonic() < self._next:
            return
        if self._bar.console.is_terminal:
            self._bar.start()
            self._bar.update(self._task, completed=self._done, ply=ply)
        else:
            self._next = time.monotonic() + PAUSE
            print(f"{self._done}/{self._games} games", ply, file=sys.stderr, flush=True)
