from random import Random

import pytest

from little_go.arena.learning.learner import (
    DRAW,
    KeyedMove,
    Learner,
    LearningSettings,
    Rules,
    learnt_policy,
    play_out,
    train_game,
)

#: Player 1 walks from 0 by moves of +1 or +2. On 4 the player loses, on 5 the player wins, and 9 is a draw. From 3 the
#: player may also go to 9. Player 2 never moves.
WALK: Rules[int] = Rules(
    start=0,
    choices=lambda state: [KeyedMove(step, 10 * state + step) for step in ((1, 2, 6) if state == 3 else (1, 2))],
    play=lambda state, move: state + move,
    mover=lambda state: 1,
    winner={4: 2, 5: 1, 9: DRAW}.get,
)


def never(state: int, rng: Random) -> int:
    raise AssertionError


def test_rewards_go_by_the_winner() -> None:
    settings = LearningSettings(win=3, draw=2, loss=1)
    assert [settings.reward(1, winner) for winner in (1, 2, DRAW)] == [3, 1, 2]
    assert [settings.reward(2, winner) for winner in (1, 2, DRAW)] == [1, 3, 2]


def test_one_game_by_the_formula() -> None:
    learner = Learner(LearningSettings(alpha=0.5, gamma=0.8, initial=0.2))
    learner.learn([(1, (1, 2)), (3, (3, 4)), (5, (5, 6))], 1.0)
    # The last decision: 0.5 x 0.2 + 0.5 x 1. The one before it: 0.5 x 0.2 + 0.5 x 0.8 x the best value before the
    # update.
    last = 0.6
    middle = 0.1 + 0.4 * last
    first = 0.1 + 0.4 * middle
    assert learner.values == pytest.approx({5: last, 3: middle, 1: first})
    assert learner.visits == {5: 1, 3: 1, 1: 1}


def test_a_better_move_not_made_is_what_counts() -> None:
    learner = Learner(LearningSettings(alpha=1.0, gamma=0.5, initial=0.0))
    learner.values[4] = 10.0
    learner.learn([(1, (1, 2)), (3, (3, 4))], -1.0)
    assert learner.values == {1: 5.0, 3: -1.0, 4: 10.0}


def test_no_decisions_teach_nothing() -> None:
    learner = Learner(LearningSettings())
    learner.learn([], 1.0)
    assert (learner.values, learner.visits) == ({}, {})


def test_values_of_a_small_game_come_out() -> None:
    """The known values: a move that wins at once is worth 1, and each move before it multiplies this by gamma."""
    learner = Learner(LearningSettings(alpha=0.5, gamma=0.9, win=1, draw=0.5, loss=0, initial=0.6, epsilon=0.3))
    rng = Random(1)
    for _ in range(2000):
        train_game(WALK, learner, 1, never, rng)
    expected = {31: 0.0, 32: 1.0, 36: 0.5, 21: 0.9, 22: 0.0, 11: 0.81, 12: 0.9, 1: 0.81, 2: 0.81}
    assert learner.values == pytest.approx(expected, abs=1e-6)
    assert {play_out(WALK, {1: learnt_policy(WALK, learner)}, rng) for _ in range(50)} == {1}


def test_exploration_is_a_share_of_the_moves() -> None:
    choices = [KeyedMove(move, move) for move in range(4)]
    learner, rng = Learner(LearningSettings(epsilon=0.4)), Random(1)
    learner.values[2] = 1.0
    others = sum(learner.explore(choices, rng).move != 2 for _ in range(4000))
    assert 0.27 < others / 4000 < 0.33
    assert learner.best(choices) == [choices[2]]


def test_equal_values_are_drawn_by_lot() -> None:
    choices = [KeyedMove(move, move) for move in range(4)]
    learner, rng = Learner(LearningSettings(epsilon=0)), Random(1)
    assert learner.best(choices) == choices
    assert {learner.explore(choices, rng).move for _ in range(100)} == {0, 1, 2, 3}


def test_self_play_learns_from_both_sides() -> None:
    # Player 1 chooses 0 or 1, and then player 2 does. Player 2 wins if both are equal.
    coin: Rules[int] = Rules(
        start=-1,
        choices=lambda state: [KeyedMove(move, 10 * (state + 1) + move) for move in (0, 1)],
        play=lambda state, move: move if state == -1 else 2 + (state == move),
        mover=lambda state: 1 if state == -1 else 2,
        winner=lambda state: state - 1 if state >= 2 else None,
    )
    learner, rng = Learner(LearningSettings(alpha=0.5, win=1, loss=0, initial=0.6, epsilon=0.3)), Random(1)
    assert {train_game(coin, learner, 1, None, rng) for _ in range(500)} == {1, 2}
    assert learner.best(coin.choices(0)) == [KeyedMove(0, 10)]
    assert learner.best(coin.choices(1)) == [KeyedMove(1, 21)]
    assert learner.values[0] < 0.5 > learner.values[1]
