"""The features of a move, such as captures, liberties, ataris and the place on the board.

The features describe a move from the view of a player who reads at most one move ahead, like most opponents in the
course. The features are counts and yes-or-no marks, and do not change if the board is rotated or reflected. Only
nonzero features are listed, because a move has only about a dozen of them.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from little_go.solver.family import Variant
from little_go.solver.position import FULL, PASS, POINTS, SIZE, Position, groups_of, neighbours, points_of

_HAS_EAST = sum(1 << point for point in range(POINTS) if point % SIZE < SIZE - 1)

#: The number of plies of the opening, in which each player places three stones.
OPENING_PLIES = 6

#: The maximum number of plies left in the endgame.
LATE_PLIES = 6


#: The features, in the order of the weights. The file of models has the same names in lower case.
Feature = IntEnum(
    "Feature",
    "PASS PASS_LATE PASS_ENDS_AHEAD PASS_ENDS_BEHIND"
    " CENTRE BESIDE_CENTRE INNER_CORNER EDGE_MIDDLE EDGE_SIDE CORNER"
    " OPENING_CENTRE OPENING_BESIDE_CENTRE OPENING_INNER_CORNER OPENING_EDGE_MIDDLE OPENING_EDGE_SIDE OPENING_CORNER"
    " CAPTURES CAPTURED CAPTURED_LATE MOST_CAPTURED"
    " LIBERTIES_1 LIBERTIES_2 LIBERTIES_3 LIBERTIES_4 SELF_ATARI"
    " ATARIS ATARI TWO_LIBERTIES SAVES SAVED AT_RISK AT_RISK_LATE THREATENED"
    " OWN_BESIDE THEIRS_BESIDE EMPTY_BESIDE JOINS FILLS_EYE FILLS_EYE_LATE"
    " OWN_LIBERTIES THEIR_LIBERTIES OWN_SHAPE THEIR_SHAPE",
    start=0,
)

FEATURE_NAMES = [feature.name.lower() for feature in Feature]

#: The nonzero features of one move: (feature, value).
Seen: TypeAlias = list[tuple[int, int]]


class Group(NamedTuple):
    """A group: its stones and its liberties, as masks of points."""

    stones: int
    liberties: int

    @property
    def in_atari(self) -> bool:
        """Whether the group has one liberty."""
        return self.liberties & (self.liberties - 1) == 0


class Board(NamedTuple):
    """A position from the mover's point of view."""

    mine: int
    theirs: int
    empty: int
    my_groups: tuple[Group, ...]
    their_groups: tuple[Group, ...]
    legal: int
    opening: bool
    late: bool


class Effect(NamedTuple):
    """The effects of placing a stone.

    touched: the mover's groups that the stone joins, as they were before the move. captured: the captured stones, as a
    mask. group: the stone's group after the captures. theirs_hit: the opponent's groups next to the stone that stay on
    the board, as they are after the captures.
    """

    touched: list[Group]
    captured: int
    group: Group
    theirs_hit: list[Group]


def features_of(position: Position, game: Variant) -> dict[int, Seen]:
    """Return the nonzero features of each legal move, including PASS. If the game is over, return {}."""
    if position.is_over:
        return {}
    board = _board(position, game)
    effects = {point: _effect(board, 1 << point) for point in points_of(board.legal)}
    most = max((effect.captured.bit_count() for effect in effects.values()), default=0)
    seen = {point: list(_of_point(board, point, effect, most)) for point, effect in effects.items()}
    return {**seen, PASS: list(_of_pass(position, board, game))}


def _board(position: Position, game: Variant) -> Board:
    mine, theirs = position.black, position.white
    if not position.black_to_move:
        mine, theirs = theirs, mine
    return Board(
        mine,
        theirs,
        FULL & ~(mine | theirs),
        side_groups(mine, theirs),
        side_groups(theirs, mine),
        position.legal_points(),
        position.ply - game.first_ply < OPENING_PLIES,
        position.left <= LATE_PLIES,
    )


# A search meets the same stones after each of the opponent's moves, so the groups are cached.
@lru_cache(maxsize=1 << 16)
def side_groups(stones: int, others: int) -> tuple[Group, ...]:
    """Return the groups of one side, given its stones and the other side's stones."""
    empty = FULL & ~(stones | others)
    return tuple(Group(group, neighbours(group) & empty) for group in groups_of(stones))


def _effect(board: Board, stone: int) -> Effect:
    touched = [group for group in board.my_groups if group.liberties & stone]
    hit = [group for group in board.their_groups if group.liberties & stone]
    captured = sum(group.stones for group in hit if group.liberties == stone)
    stones = stone | sum(group.stones for group in touched)
    liberties = neighbours(stones) & (board.empty | captured) & ~stone
    staying = [Group(group.stones, group.liberties & ~stone) for group in hit if group.liberties != stone]
    return Effect(touched, captured, Group(stones, liberties), staying)


def _of_pass(position: Position, board: Board, game: Variant) -> Iterator[tuple[int, int]]:
    yield Feature.PASS, 1
    if board.late:
        yield Feature.PASS_LATE, 1
    if position.pass_ends:
        yield (Feature.PASS_ENDS_AHEAD if game.leader(position) == position.mover else Feature.PASS_ENDS_BEHIND), 1
    yield from _whole_board(board, board.mine, board.theirs, board.my_groups, board.their_groups)


def _of_point(board: Board, point: int, effect: Effect, most: int) -> Iterator[tuple[int, int]]:
    spot = _SPOT[point]
    yield Feature.CENTRE + spot, 1
    if board.opening:
        yield Feature.OPENING_CENTRE + spot, 1
    yield from _of_captures(board, effect, most)
    yield from _of_liberties(effect)
    yield from _of_surroundings(board, point, effect)
    yield from _whole_board(
        board,
        board.mine | 1 << point,
        board.theirs ^ effect.captured,
        [effect.group, *_freed(board.my_groups, 1 << point, effect.captured)],
        [*effect.theirs_hit, *(group for group in board.their_groups if not group.liberties >> point & 1)],
    )


def _of_captures(board: Board, effect: Effect, most: int) -> Iterator[tuple[int, int]]:
    if effect.captured:
        captured = effect.captured.bit_count()
        yield Feature.CAPTURES, 1
        yield Feature.CAPTURED, captured
        if captured == most:
            yield Feature.MOST_CAPTURED, 1
        if board.late:
            yield Feature.CAPTURED_LATE, captured
    yield from _counted(Feature.ATARIS, Feature.ATARI, _with_liberties(effect.theirs_hit, 1))
    pressed = _with_liberties(effect.theirs_hit, 2)
    if pressed:
        yield Feature.TWO_LIBERTIES, pressed


def _of_liberties(effect: Effect) -> Iterator[tuple[int, int]]:
    liberties = effect.group.liberties.bit_count()
    yield Feature.LIBERTIES_1 + min(liberties, 4) - 1, 1
    if liberties == 1:
        yield Feature.SELF_ATARI, effect.group.stones.bit_count()
    else:
        yield from _counted(Feature.SAVES, Feature.SAVED, _with_liberties(effect.touched, 1))


def _of_surroundings(board: Board, point: int, effect: Effect) -> Iterator[tuple[int, int]]:
    around = _AROUND[point]
    counts = {
        Feature.OWN_BESIDE: (around & board.mine).bit_count(),
        Feature.THEIRS_BESIDE: (around & board.theirs).bit_count(),
        Feature.EMPTY_BESIDE: (around & board.empty).bit_count(),
        Feature.JOINS: max(len(effect.touched) - 1, 0),
    }
    yield from ((feature, count) for feature, count in counts.items() if count)
    if around & board.mine == around:
        yield Feature.FILLS_EYE, 1
        if board.late:
            yield Feature.FILLS_EYE_LATE, 1


def _freed(groups: Sequence[Group], stone: int, captured: int) -> Iterator[Group]:
    """Yield the groups that the stone does not touch, each with the liberties that the captures give to it."""
    for group in groups:
        if not group.liberties & stone:
            yield Group(group.stones, group.liberties | neighbours(group.stones) & captured) if captured else group


def _whole_board(
    board: Board, mine: int, theirs: int, my_groups: Sequence[Group], their_groups: Sequence[Group]
) -> Iterator[tuple[int, int]]:
    """Yield the features of the whole board after the move, given the stones and groups of both sides."""
    empty = FULL & ~(mine | theirs)
    at_risk = _largest_in_atari(my_groups)
    counts = {
        Feature.AT_RISK: at_risk,
        Feature.AT_RISK_LATE: at_risk if board.late else 0,
        Feature.THREATENED: _largest_in_atari(their_groups),
        Feature.OWN_LIBERTIES: (neighbours(mine) & empty).bit_count(),
        Feature.THEIR_LIBERTIES: (neighbours(theirs) & empty).bit_count(),
        Feature.OWN_SHAPE: euler(mine),
        Feature.THEIR_SHAPE: euler(theirs),
    }
    yield from ((feature, count) for feature, count in counts.items() if count)


def _largest_in_atari(groups: Sequence[Group]) -> int:
    return max((g.stones.bit_count() for g in groups if g.in_atari), default=0)


def _counted(mark: Feature, count: Feature, stones: int) -> Iterator[tuple[int, int]]:
    if stones:
        yield mark, 1
        yield count, stones


def _with_liberties(groups: list[Group], number: int) -> int:
    return sum(group.stones.bit_count() for group in groups if group.liberties.bit_count() == number)


#: By point, the mask of its neighbours.
_AROUND = [neighbours(1 << point) for point in range(POINTS)]


def _spot(point: int) -> int:
    """Return the kind of a point in the order of Feature, from 0, the centre, to 5, a corner."""
    i, j = divmod(point, SIZE)
    far, near = sorted((abs(i - SIZE // 2), abs(j - SIZE // 2)), reverse=True)
    return far * (far + 1) // 2 + near


_SPOT = [_spot(point) for point in range(POINTS)]


def euler(stones: int) -> int:
    """Return the number of groups minus the number of holes in them (Gray 1971).

    The result is the number of stones, minus the adjacent pairs of stones, plus the full squares of four stones.

    >>> euler(0b00011), euler(0b00101), euler(0b00011_00011)
    (1, 2, 1)
    """
    pairs = stones & stones >> 1 & _HAS_EAST
    down = stones >> SIZE
    return stones.bit_count() - pairs.bit_count() - (stones & down).bit_count() + (pairs & pairs >> SIZE).bit_count()
