"""The choice of winning moves: few positions follow, and the choices are the same on every machine."""

import random

from little_go.book.answers.strategy import Wins, fewest_later, fewest_replies
from little_go.solver.position import Position
from little_go.solver.symmetry import key_of


def drawn(rng: random.Random, positions: int) -> dict[Position, Wins]:
    """Return positions with up to six winning moves, each with random numbers of following positions."""
    return {
        Position(black=number + 1, ply=1): {
            move: frozenset(rng.sample(range(3 * positions), 8)) for move in rng.sample(range(26), rng.randint(1, 6))
        }
        for number in range(positions)
    }


def reached(wins: dict[Position, Wins], chosen: dict[Position, int]) -> int:
    assert list(chosen) == list(wins)
    return len(frozenset().union(*(wins[position][move] for position, move in chosen.items())))


ONE, TWO, THREE = (Position(black=1 << point, ply=1) for point in range(3))

#: Separately, the moves 0 and 2 are better. Together, the moves 1 and 3 are better.
SHARED: dict[Position, Wins] = {
    ONE: {0: frozenset({1, 2, 3}), 1: frozenset({7, 8, 9, 10})},
    TWO: {2: frozenset({4, 5, 6}), 3: frozenset({7, 8, 9, 10})},
    THREE: {4: frozenset({7, 8, 9, 11})},
}


def test_few_positions_follow_the_choices() -> None:
    assert fewest_replies(SHARED) == {ONE: 1, TWO: 3, THREE: 4}
    assert fewest_replies({}) == {}


def test_many_cheap_positions_are_better_than_few_dear_ones() -> None:
    cheap = dict.fromkeys(range(1, 12), 1)
    assert fewest_replies(SHARED, costs=cheap) == fewest_replies(SHARED)
    assert fewest_replies(SHARED, costs={**cheap, 10: 9}) == {ONE: 0, TWO: 2, THREE: 4}
    assert fewest_replies(SHARED, 20, {**cheap, 10: 9}) == {ONE: 0, TWO: 2, THREE: 4}


def test_few_positions_follow_later() -> None:
    """Two positions follow each move. Six positions follow after the first move's, and five after the other move's."""
    start, *after = (Position(black=1 << point, ply=ply) for point, ply in ((12, 1), (0, 3), (1, 3), (2, 3), (6, 3)))
    keys = [key_of(position) for position in after]
    wins: dict[Position, Wins] = {start: {0: frozenset(keys[:2]), 1: frozenset(keys[2:])}}
    first: dict[Position, Wins] = {after[0]: {9: frozenset({1, 2, 3})}, after[1]: {9: frozenset({4, 5, 6})}}
    other: dict[Position, Wins] = {after[2]: {9: frozenset({1, 2, 3})}, after[3]: {9: frozenset({1, 5, 6})}}
    assert fewest_replies(wins) == {start: 0}
    assert fewest_later(wins, first | other, 1) == {start: 1}
    assert fewest_later(wins, first | {**other, after[2]: {9: frozenset({7, 8, 9, 10})}}, 1) == {start: 0}


def test_a_choice_that_looks_worse_alone_is_found_where_many_make_it() -> None:
    """For a single position the move 0 is better, but for all positions together it is the shared move 1."""
    positions = [Position(black=1 << point, ply=1) for point in range(12)]
    wins: dict[Position, Wins] = {
        position: {0: frozenset({10 * number, 10 * number + 1, 10 * number + 2}), 1: frozenset(range(900, 907))}
        for number, position in enumerate(positions)
    }
    assert fewest_replies(wins) == dict.fromkeys(positions, 1)


def test_no_other_move_of_one_position_is_better() -> None:
    wins = drawn(random.Random(1), 40)
    chosen = fewest_replies(wins)
    for position, moves in wins.items():
        for move in moves:
            assert reached(wins, {**chosen, position: move}) >= reached(wins, chosen)


def test_more_orders_find_fewer_positions_or_as_many() -> None:
    rng = random.Random(2)
    gained = 0
    for _ in range(10):
        wins = drawn(rng, 30)
        one, two, many = (reached(wins, fewest_replies(wins, orders)) for orders in (1, 2, 20))
        assert one >= two >= many
        gained += one - many
    assert gained > 5


def test_the_orders_are_the_same_everywhere() -> None:
    """If the orders differed between versions of Python, certificates would have other moves."""
    wins = drawn(random.Random(3), 12)
    assert list(fewest_replies(wins, 30).values()) == [17, 20, 12, 15, 10, 19, 10, 25, 7, 11, 0, 1]
