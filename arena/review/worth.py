"""What the positions of games are worth, with so many nodes of search for each."""

from collections.abc import Iterator, Sequence
from copy import copy

from book.answers.live import LOOK_SECONDS, LiveSearch
from book.answers.query import Knowledge, Service, pass_on
from book.answers.reasons import LATE_LEFT, Explanation, explained, teaching_line
from book.answers.sources import Source
from solver.family import COURSE, Variant
from solver.position import Position
from solver.symmetry import canonical_key, key_of

#: The most nodes for the value of a position: enough for any.
NODES = 500_000_000

#: Nodes for the value of a position where there are many games: a tenth of a second.
REVIEW_NODES = 300_000

#: A line of best play may take this part of them for each of its positions, and at least what a first round may.
LINE_SHARE = 20

#: Nodes for the values of a whole game, which two cores search in less than 3 s; the lines come after them.
GAME_NODES = 12_000_000

#: Nodes for each position in the first round of a game, and in the second, which asks who wins.
QUICK_NODES, WINNER_NODES = 300_000, 3_000_000


class Valuer:
    """Finds out what the positions of games are worth; what was found for one helps with the next."""

    def __init__(
        self,
        sources: Sequence[Source],
        nodes: int = NODES,
        table_mib: int | None = None,
        game_nodes: int | None = None,
    ) -> None:
        """nodes: the most for a position's value; where they do not suffice its bounds are told.

        game_nodes: for all of a game's together, None for no limit. What explains a mistake takes
        what it needs. table_mib, and what it raises: as for Live.
        """
        self._live = LiveSearch(table_mib)
        self._sources = sources
        self._service = Service(sources, self._live, game=COURSE)
        self._nodes = nodes
        self._line_nodes = max(nodes // LINE_SHARE, min(nodes, QUICK_NODES))
        self._game_nodes = game_nodes
        self._tried: dict[int, int] = {}
        self._explained: dict[tuple[int, int], Explanation | None] = {}
        self._by_game = {COURSE: self}

    def of(self, game: Variant) -> "Valuer":
        """Return what values a game's positions, by the same sources and the same search."""
        if game not in self._by_game:
            other = copy(self)
            other._service, other._tried = Service(self._sources, self._live, game=game), {}
            other._explained = {}
            self._by_game[game] = other
        return self._by_game[game]

    @property
    def searched(self) -> int:
        """The nodes of all searches up to now."""
        return self._live.searched

    def along(self, positions: Sequence[Position]) -> list[Knowledge]:
        """Value each position of a game, as ``settling`` does."""
        *_, (worth, _) = self.settling(positions)
        return worth

    def settling(self, positions: Sequence[Position]) -> Iterator[tuple[list[Knowledge], frozenset[int]]]:
        """Yield what each position of a game is worth, and which of them are still searched: at last none.

        First comes what is known without a search, then a round with few nodes for each, then who wins where that is
        open, then the exact values. The last position is asked first, as its answer helps with those before. A move is
        worth no more to its mover than the position is, so what is proven after a move counts before it, and the
        reverse.
        """
        limit, searched = self._game_nodes, self.searched
        worth = [self._service.ask(each, way=positions[:ply], moves=False) for ply, each in enumerate(positions)]
        for nodes, exact in self._rounds():
            for ply in range(len(positions) - 1, -1, -1):
                _pass_on(worth)
                left = open_plies(worth)
                yield worth, left
                spare = nodes if limit is None else limit + searched - self.searched
                if ply in left and spare > 0 and (exact or worth[ply].winner is None):
                    if not exact:
                        self._service.decide(
                            positions[ply], self._service.game.least, self._live.nodes(min(nodes, spare))
                        )
                    guess = worth[ply + 1].value if ply + 1 < len(worth) else None
                    worth[ply] = self.worth(positions[ply], guess, min(nodes, spare) if exact else 1, positions[:ply])
        _pass_on(worth)
        yield worth, frozenset()

    def _rounds(self) -> Iterator[tuple[int, bool]]:
        """Yield each round's nodes for a position, and whether exact values are asked for, or only who wins."""
        yield min(QUICK_NODES, self._nodes), True
        yield min(WINNER_NODES, self._nodes), False
        yield self._nodes, True

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
        """Return a line of best play, of so many plies at most; it ends where the best move is not proven.

        The last moves are those of ``teaching_line``.
        """
        moves: list[int] = []
        start = position
        while len(moves) < plies and position.left > LATE_LEFT:
            move = self.worth(position, nodes=self._line_nodes).best
            if move is None:
                break
            moves.append(move)
            position = position.play(move)
        return teaching_line(start, moves)[:plies]

    def explained(self, position: Position, move: int) -> Explanation | None:
        """Return why a move is worse than the best one, always the same, whatever that costs; None where it is not."""
        what = key_of(position), move
        if what not in self._explained:
            self._explained[what] = explained(position, move, self._live.judge, self._service.game)
        return self._explained[what]


def open_plies(worth: Sequence[Knowledge]) -> frozenset[int]:
    """Return after how many moves of a game the value is not exact."""
    return frozenset(number for number, known in enumerate(worth) if known.value is None)


def _pass_on(worth: list[Knowledge]) -> None:
    """Let each position of a game know what follows from those after it and before it."""
    for at in range(len(worth) - 1, 0, -1):
        worth[at - 1] = pass_on(worth[at - 1], worth[at])[0]
    for at in range(1, len(worth)):
        worth[at] = pass_on(worth[at - 1], worth[at])[1]
