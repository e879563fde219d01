"""Progress through a number of games."""

import math

from runtime.display import Display

#: Seconds before anything is shown.
PATIENCE = 2.0


class Progress(Display):
    """Progress through a number of games, on standard error; a context manager.

    With ``hidden`` nothing is shown: a person playing on the terminal sees that time passes.
    """

    def __init__(self, games: int, hidden: bool, plies: int) -> None:
        super().__init__(patience=math.inf if hidden else PATIENCE)
        self._games = games
        self._plies = plies
        self._done = 0

    def ply(self, number: int) -> None:
        """Show that ply ``number`` of the running game has been played."""
        self._tell(f", ply {number} of {self._plies}")

    def settled(self, what: str, done: int, total: int) -> None:
        """Show how much of the running game's review is settled."""
        self._tell(f", {what} {done} of {total}")

    def game(self) -> None:
        """Show that one more game has been played."""
        self._done += 1
        self._tell("")

    def _tell(self, ply: str) -> None:
        self.show(f"games: {self._done:,} of {self._games:,}{ply}", self._done, self._games)
