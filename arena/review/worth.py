"""What the positions of games are worth, with so many nodes of search for each."""

from collections.abc import Callable, Iterator, Sequence

from book.answers.live import LOOK_SECONDS, Live
from book.answers.query import Knowledge, met
from book.answers.service import Service
from book.answers.sources import Source
from solver.position import Position
from solver.symmetry import canonical_key

#: The most nodes for the value of a position: enough for any.
NODES = 500_000_000

#: A line of best play may take this part of them for each of its positions.
LINE_SHARE = 20


class Valuer:
    """Finds out what positions are worth; what was found for one helps with the next."""

    def __init__(self, sources: Sequence[Source], nodes: int = NODES, table_mib: int | None = None) -> None:
        """nodes: the most for a position's value; where they do not suffice its bounds are told.

        table_mib, and what it raises: as for Live.
        """
        self._live = Live(table_mib)
        self._service = Service(sources, self._live)
        self._nodes = nodes
        self._tried: dict[int, int] = {}

    def along(self, positions: Sequence[Position], watch: Callable[[int], None] = lambda ply: None) -> list[Knowledge]:
        """Value each position of a game.

        The last one is asked first, as its answer helps with those before. A move is worth no more to its mover than
        the position is, so what is proven after a move counts before it, and the reverse. watch: told each ply.
        """
        worth: list[Knowledge] = []
        for ply in range(len(positions) - 1, -1, -1):
            watch(ply)
            found = self.worth(positions[ply], worth[-1].value if worth else None, way=positions[:ply])
            worth.append(met(found, worth[-1])[0] if worth else found)
        worth.reverse()
        for at in range(1, len(worth)):
            worth[at] = met(worth[at - 1], worth[at])[1]
        return worth

    def worth(
        self, position: Position, guess: int | None = None, nodes: int | None = None, way: Sequence[Position] = ()
    ) -> Knowledge:
        """Value a position. guess: what its value may be. nodes: fewer of them than usual. way: as Service.ask()."""
        key, nodes = canonical_key(position), nodes or self._nodes
        budget = self._live.nodes(nodes) if nodes > self._tried.get(key, 0) else None
        self._tried[key] = max(nodes, self._tried.get(key, 0))
        return self._service.ask(position, budget, way=way, moves=False, guess=guess)

    def values(self, position: Position, way: Sequence[Position]) -> Iterator[Knowledge]:
        """Yield what a position and its moves are worth, several times a second until all is exact.

        way: as Service.ask(). It takes as many nodes as the value of a position may.
        """
        return self._service.updates(position, self._live.nodes(self._nodes), LOOK_SECONDS, way)

    def line(self, position: Position, plies: int) -> list[int]:
        """Return a line of best play, of so many plies at most; it ends where the best move is not proven."""
        moves: list[int] = []
        value, share = None, self._nodes // LINE_SHARE
        while len(moves) < plies and not position.is_over:
            worth = self.worth(position, nodes=share) if value is None else self._service.ask(position, moves=False)
            move = worth.best
            if value is not None and worth.value != value:
                # Best play keeps the value, so one question finds the move.
                move = self._live.best(position, value, self._live.nodes(share))
            if move is None:
                break
            value = worth.value if value is None else value
            moves.append(move)
            position = position.play(move)
        return moves
