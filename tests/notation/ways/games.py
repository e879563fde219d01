"""Random games, what a text about one of them means, and the spellings of moves.

Nothing here uses a reader of ``notation/``: positions come from the rules, and texts from the writers of this package.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from little_go.solver.position import GAME_PLIES, PASS, SIZE, START, Position, points_of


class Told(NamedTuple):
    """A text and its truth.

    meant: the positions that it can mean; none if it must be refused.
    is_documented: whether NOTATION.md promises this form, so that a refusal is a fault.
    is_exact: whether a change of blanks, case or signs may change the meaning, so that mutations leave the text alone.
    noted: a word that the notes must contain if the text is read, because the text states something else, such as komi.
    """

    text: str
    meant: tuple[Position, ...] = ()
    is_documented: bool = False
    is_exact: bool = False
    noted: str = ""


@dataclass(frozen=True)
class Game:
    """A legal game that is not over. way: its positions; moves: the moves between them."""

    way: tuple[Position, ...]
    moves: tuple[int, ...]

    @property
    def last(self) -> Position:
        """The position after the moves."""
        return self.way[-1]

    @property
    def board(self) -> Position:
        """The stones after the moves, without ply, ko and PASS."""
        return self.last._replace(ply=0, ko=None, passed=False)


def drawn_game(rng: Random, plies: Iterable[int] = (), *, passes: float = 0.06) -> Game:
    """Return a random game. plies: the lengths to draw from; passes: the share of PASSes."""
    lengths = [*plies] or [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, 9, 10, 12, 14, 17, 20, 22]
    while True:
        wanted = rng.choice(lengths)
        way: list[Position] = [START]
        moves: list[int] = []
        while len(moves) < wanted and not way[-1].is_over:
            stones = way[-1].legal_moves()[:-1]
            may_pass = not way[-1].pass_ends
            if not stones and not may_pass:
                break
            move = PASS if may_pass and (not stones or rng.random() < passes) else rng.choice(stones)
            moves.append(move)
            way.append(way[-1].play(move))
        if len(moves) == wanted:
            return Game(tuple(way), tuple(moves))


def without_captures(rng: Random, plies: Iterable[int] = (2, 3, 4, 5, 6, 7, 8)) -> Game:
    """Return a random game without a PASS and without captures: every stone is still on the board."""
    while True:
        game = drawn_game(rng, plies, passes=0)
        if (game.last.black | game.last.white).bit_count() == len(game.moves):
            return game


def fitting(board: Position, mover: int | None = None, captured: tuple[int, int] = (0, 0)) -> tuple[Position, ...]:
    """Return the position with the smallest ply that fits, or nothing if none does.

    board: its ply means nothing; its ``passed`` is whether the text names a PASS as the last move.
    mover: 1 = Black, 2 = White; None if the text does not name the side.
    captured: captured stones of Black and of White that the text names.
    """
    for ply in range(GAME_PLIES):
        black_moves = ply % 2 == 0
        if mover not in (None, 1 if black_moves else 2):
            continue
        # Whoever puts a stone down has one on the board: suicide is forbidden. So a side without one has passed.
        passed = board.passed or (ply > 0 and not (board.white if black_moves else board.black))
        placed = board._replace(ply=ply, passed=passed)
        if is_possible(placed, captured):
            return (placed,)
    return ()


def is_possible(position: Position, captured: tuple[int, int] = (0, 0)) -> bool:
    """Whether the plies played suffice for the stones, and the rules allow the board."""
    ply, passed = position.ply, position.passed
    if passed and ply < 2:
        return False
    blacks, whites = (ply + 1) // 2 - (passed and ply % 2 == 1), ply // 2 - (passed and ply % 2 == 0)
    if position.black.bit_count() + captured[0] > blacks or position.white.bit_count() + captured[1] > whites:
        return False
    if ply and not position.black | position.white:
        return False
    if not position.black and position.white.bit_count() == 1:
        return False
    try:
        position.check()
    except ValueError:
        return False
    return True


def captured_in(game: Game) -> tuple[int, int]:
    """Return how many stones of Black and of White were captured in a game."""
    last = game.last
    put_down = [sum(move != PASS for move in game.moves[side::2]) for side in (0, 1)]
    return put_down[0] - last.black.bit_count(), put_down[1] - last.white.bit_count()


def stones_of(position: Position) -> tuple[list[int], list[int]]:
    """Return the points of Black's and of White's stones."""
    return [*points_of(position.black)], [*points_of(position.white)]


Namer = Callable[[int], str]


def host(move: int) -> str:
    return "PASS" if move == PASS else f"{move // SIZE},{move % SIZE}"


def spaced(move: int) -> str:
    return "PASS" if move == PASS else f"{move // SIZE}, {move % SIZE}"


def bracketed(move: int) -> str:
    return "PASS" if move == PASS else f"({move // SIZE}, {move % SIZE})"


def tight(move: int) -> str:
    return "PASS" if move == PASS else f"({move // SIZE},{move % SIZE})"


def vertex(move: int) -> str:
    return "PASS" if move == PASS else f"{'ABCDE'[move % SIZE]}{SIZE - move // SIZE}"


def low(move: int) -> str:
    return vertex(move).lower()


def letters(move: int) -> str:
    """Return a move as in SGF."""
    return "" if move == PASS else f"{'abcde'[move % SIZE]}{'abcde'[move // SIZE]}"


PLAIN = (host, vertex, low)
NAMERS = (host, vertex, low, bracketed, tight)


def grid(board: Position, signs: str) -> list[list[str]]:
    """Return the signs of five rows; signs: of an empty point, of Black and of White."""
    return [[signs[int(digit)] for digit in row] for row in board.rows()]
