"""White after 2,2 against searching opponents: how often our traps work.

Black opens 2,2, which wins. From there on White's moves are those of ``my_player3.py``: the book's, and where the
book has none in a lost position, the move after which the fewest replies hold, found by the same code on the native
kernel. When Black has thrown the win away, White has won, as the player keeps every win (`little-go proof verify`);
so the game need not be played to its end.
"""

import math
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from arena.agents import Choose
from arena.agents.searching import EVALUATIONS, PREFIX, open_searching
from book.files.reader import BOOK_LOSS, MoveBook
from player.choose import quick_rank
from player.lost import hardest_move
from solver.answer import BLACK_WINS, Answer
from solver.family import COURSE
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import CENTRE, PASS, START, Position

#: The depths of the ladder's rungs, and the plies left from which they play exactly, in turn.
DEPTHS, EXACT_LEFT = (2, 3, 4, 5, 6, 7, 8), (6, 8, 10, 12, 14)

_TABLE_MIB = 256


class Rung(NamedTuple):
    """White's games against one opponent. plies: those at which Black threw the win away, one for each game won."""

    name: str
    games: int
    plies: tuple[int, ...]

    @property
    def won(self) -> int:
        """Games that White won."""
        return len(self.plies)


def rungs() -> list[str]:
    """Return the names of the opponents: each evaluation with each depth, exact from 6, 8, … 14 plies left in turn."""
    return [
        f"{PREFIX}{evaluation}:{depth}:{EXACT_LEFT[(row + column) % len(EXACT_LEFT)]}"
        for row, evaluation in enumerate(EVALUATIONS)
        for column, depth in enumerate(DEPTHS)
    ]


class TrapLadder:
    """Games of White after 2,2, with a book's moves."""

    def __init__(self, book: MoveBook) -> None:
        self._book = book
        self._kernel = Kernel(open_table(_TABLE_MIB))

    def climb(
        self,
        name: str,
        games: int,
        seed: int,
        choose: Choose | None = None,
        watch: Callable[[], None] = lambda: None,
    ) -> Rung:
        """Play so many games against the opponent of that name; raises ValueError for a name unknown.

        choose: how it plays, when its name does not tell. watch: told of each game.
        """
        black: Choose = choose or open_searching(name, game=COURSE)
        plies = []
        for game in range(games):
            plies.append(self._play(black, Random(f"{seed} {name} {game}")))
            watch()
        return Rung(name, games, tuple(ply for ply in plies if ply is not None))

    def _play(self, black: Choose, rng: Random) -> int | None:
        """Return the ply at which Black threw the win away, or None."""
        position = START.play(CENTRE)
        while not position.is_over:
            if position.black_to_move:
                position = position.play(black(position, rng))
                if self._winner(position) == 2:
                    return position.ply
            else:
                position = position.play(self._answer(position))
        return None

    def _answer(self, position: Position) -> int:
        """Return the player's move in a lost position."""
        entry = self._book.get(position)
        if entry is not None and entry.verdict == BOOK_LOSS:
            return entry.move
        # As player.choose has it, but for the clock.
        moves = sorted(position.legal_moves(), key=lambda move: -quick_rank(position, move))
        move = hardest_move(position, moves, self._decide, self._kernel.value, game=COURSE)
        return PASS if move is None else move

    def _winner(self, position: Position) -> int | None:
        return COURSE.leader(position) if position.is_over else COURSE.winner(self._decide(position))

    def _decide(self, position: Position) -> Answer:
        return self._kernel.decide(position, BLACK_WINS)


def interval(won: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson 1927).

    >>> [round(bound, 3) for bound in interval(95, 100)]
    [0.888, 0.978]
    """
    z, share = 1.96, won / games
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return centre - half, centre + half
