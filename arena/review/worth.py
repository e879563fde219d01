"""Values of the positions of games, within a number of nodes for each."""

from collections.abc import Iterator, Sequence
from copy import copy

from book.answers.live import LOOK_SECONDS, LiveSearch
from book.answers.query import Knowledge, Service, pass_on
from book.answers.reasons import LATE_LEFT, Explanation, explained, teaching_line
from book.answers.sources import Source
from solver.family import COURSE, Variant
from solver.position import Position
from solver.symmetry import canonical_key, key_of

#: Maximum nodes for a position's value: enough for any.
NODES = 500_000_000

#: Nodes for a position's value where there are many games: 0.1 s.
REVIEW_NODES = 300_000

#: A line of best play may take 1/LINE_SHARE of them for each position, and at least a first round's.
LINE_SHARE = 20

#: Nodes for the values of a whole game, less than 3 s on two cores, without the lines.
GAME_NODES = 12_000_000

#: Nodes for each position in a game's first round, and in the second, which decides the winner.
QUICK_NODES, WINNER_NODES = 300_000, 3_000_000


class Valuer:
    """Finds the values of the positions of games, reusing earlier searches."""

    def __init__(
        self,
        sources: Sequence[Source],
        nodes: int = NODES,
        table_mib: int | None = None,
        game_nodes: int | None = None,
    ) -> None:
        """nodes: maximum for a position's value; if they do not suffice, it has bounds.

        game_nodes: maximum for all of a game's positions, None for no limit. Explanations have no limit. table_mib, and
        errors: as in LiveSearch.
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
        """Return the valuer of another game, with the same sources and search."""
        if game not in self._by_game:
            other = copy(self)
            other._service, other._tried = Service(self._sources, self._live, game=game), {}
            other._explained = {}
            self._by_game[game] = other
        return self._by_game[game]

    @property
    def searched(self) -> int:
        """The nodes of all searches so far."""
        return self._live.searched

    def along(self, positions: Sequence[Position]) -> list[Knowledge]:
        """Value each position of a game, as ``settling`` does."""
        *_, (worth, _) = self.settling(positions)
        return worth

    def settling(self, positions: Sequence[Position]) -> Iterator[tuple[list[Knowledge], frozenset[int]]]:
        """Yield the knowledge of each position of a game and the plies still searched; at last these are none.

        Rounds: without search; few nodes for each position; the winner where it is open; exact values. Each round
        starts with the last position, whose answer helps with the earlier ones. A move is worth no more to its mover
        than the position, so bounds pass between positions before and after a move.
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
        """Yield each round's nodes for a position, and whether it searches exact values or only winners."""
        yield min(QUICK_NODES, self._nodes), True
        yield min(WINNER_NODES, self._nodes), False
        yield self._nodes, True

    def worth(
        self, position: Position, guess: int | None = None, nodes: int | None = None, way: Sequence[Position] = ()
    ) -> Knowledge:
        """Value a position. guess: its possible value. nodes: fewer than usual. way: as in Service.ask()."""
        key, nodes = canonical_key(position), nodes or self._nodes
        budget = self._live.nodes(nodes) if nodes > self._tried.get(key, 0) else None
        self._tried[key] = max(nodes, self._tried.get(key, 0))
        return self._service.ask(position, budget, way=way, moves=False, guess=guess)

    def values(self, position: Position, way: Sequence[Position]) -> Iterator[Knowledge]:
        """Yield the knowledge of a position and its moves, several times a second until all is exact.

        way: as in Service.ask(). Limited to the nodes of a position's value.
        """
        return self._service.updates(position, self._live.nodes(self._nodes), LOOK_SECONDS, way)

    def line(self, position: Position, plies: int) -> list[int]:
        """Return a line of best play of at most ``plies`` plies; it ends where the best move is not proven.

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
        """Return why a move is worse than the best one, without a limit of nodes; None where it is not."""
        what = key_of(position), move
        if what not in self._explained:
            self._explained[what] = explained(position, move, self._live.judge, self._service.game)
        return self._explained[what]


def open_plies(worth: Sequence[Knowledge]) -> frozenset[int]:
    """Return the numbers of moves after which the value is not exact."""
    return frozenset(number for number, known in enumerate(worth) if known.value is None)


def _pass_on(worth: list[Knowledge]) -> None:
    """Pass bounds between the positions of a game, in both directions."""
    for at in range(len(worth) - 1, 0, -1):
        worth[at - 1] = pass_on(worth[at - 1], worth[at])[0]
    for at in range(1, len(worth)):
        worth[at] = pass_on(worth[at - 1], worth[at])[1]
