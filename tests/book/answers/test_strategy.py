"""The choice among winning moves: few positions follow, and the same ones on every machine."""

import random

from book.answers.strategy import Wins, fewest_replies
from solver.position import Position


def drawn(rng: random.Random, positions: int) -> dict[Position, Wins]:
    """Return positions with up to six winning moves each, after which positions of a few kinds follow."""
    return {
        Position(black=number + 1, ply=1): {
            move: frozenset(rng.sample(range(3 * positions), 8)) for move in rng.sample(range(26), rng.randint(1, 6))
        }
        for number in range(positions)
    }


def reached(wins: dict[Position, Wins], chosen: dict[Position, int]) -> int:
    assert list(chosen) == list(wins)
    return len(frozenset().union(*(wins[position][move] for position, move in chosen.items())))


def test_few_positions_follow_the_choices() -> None:
    one, two, three = (Position(black=1 << point, ply=1) for point in range(3))
    wins = {
        one: {0: frozenset({1, 2, 3}), 1: frozenset({7, 8, 9, 10})},
        two: {2: frozenset({4, 5, 6}), 3: frozenset({7, 8, 9, 10})},
        three: {4: frozenset({7, 8, 9, 11})},
    }
    assert fewest_replies(wins) == {one: 1, two: 3, three: 4}
    assert fewest_replies({}) == {}


def test_no_other_move_of_one_position_is_better() -> None:
    wins = drawn(random.Random(1), 40)
    chosen = fewest_replies(wins)
    for position, moves in wins.items():
        for move in moves:
            assert reached(wins, {**chosen, position: move}) >= reached(wins, chosen)


def test_more_starts_find_fewer_positions_or_as_many() -> None:
    rng = random.Random(2)
    gained = 0
    for _ in range(10):
        wins = drawn(rng, 30)
        one, two, many = (reached(wins, fewest_replies(wins, starts)) for starts in (1, 2, 20))
        assert one >= two >= many
        gained += one - many
    assert gained > 5


def test_the_orders_are_the_same_everywhere() -> None:
    """As this Python draws them; another that shuffles otherwise would choose other moves for a certificate."""
    wins = drawn(random.Random(3), 12)
    assert list(fewest_replies(wins, 30).values()) == [17, 20, 12, 15, 10, 19, 10, 25, 22, 11, 0, 1]
