"""The native fixed-depth search agrees with a plain search in Python."""

from random import Random

import pytest

from little_go.arena.agents.fixed_depth import Style, Weights, _score, best_moves, evaluate
from little_go.solver.native.lookahead import DEEPEST, Lookahead
from little_go.solver.position import FULL, PASS, START, Position, play_all

EVALUATIONS = [
    Weights(stones=1),
    Weights(stones=5, liberties=1, euler=-4),
    Weights(stones=16, contacts=-2, edge=-8, in_atari=-3),
    Weights(stones=26, liberties=3, reach=-1, euler=-7, corners=-2, in_atari=-2),
]

#: Like the native search, it tries every point.
ALL = 25


def positions(count: int, seed: int) -> list[Position]:
    rng = Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = START
        for _ in range(rng.randrange(1, 23)):
            if not position.is_over:
                position = position.play(rng.choice(position.legal_moves()))
        if not position.is_over and not position.passed:
            found.append(position)
    return found


@pytest.mark.parametrize("weights", EVALUATIONS, ids=str)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_best_moves_are_those_of_the_plain_search(weights: Weights, depth: int) -> None:
    for position in positions(12, depth):
        scores = Lookahead(weights).scores(position, depth)
        assert sorted(scores) == best_moves(position, Style(depth, ALL, weights))
        assert len(set(scores.values())) == 1


#: The side that is not the mover has all points except two eyes.
ONLY_PASS = FULL & ~(1 | 1 << 24)


@pytest.mark.parametrize("passed", [False, True])
@pytest.mark.parametrize(("black", "white", "ply"), [(0, ONLY_PASS, 18), (ONLY_PASS, 0, 19)])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_pass_is_scored_only_if_no_point_is_legal(black: int, white: int, ply: int, passed: bool, depth: int) -> None:
    """The PASS ends the game if the last ply was a PASS."""
    weights, position = EVALUATIONS[3], Position(black, white, None, ply, passed)
    plain = _score(position, Style(depth, ALL, weights), depth, -1e9, 1e9)
    assert Lookahead(weights).scores(position, depth) == {PASS: plain}
    ended = evaluate(position, weights)
    assert (plain == ended) is (passed or depth == 1)


@pytest.mark.parametrize("weights", EVALUATIONS, ids=str)
def test_scores_within_the_margin_are_exact(weights: Weights) -> None:
    for position in positions(20, 7):
        points = position.legal_moves()[:-1] or [PASS]
        exact = {move: -evaluate(position.play(move), weights) for move in points if not position.play(move).is_over}
        best, margin = max(exact.values(), default=0), 2 * weights.stones
        found = Lookahead(weights).scores(position, 1, margin)
        if len(exact) == len(points):
            assert found == {move: score for move, score in exact.items() if score >= best - margin}


def test_one_searcher_for_many_questions_answers_as_a_fresh_one() -> None:
    weights = EVALUATIONS[1]
    searcher = Lookahead(weights)
    for position in positions(30, 11):
        assert searcher.scores(position, 4) == Lookahead(weights).scores(position, 4)
    assert searcher.nodes > 1000


def test_depth_margin_and_the_end_are_checked() -> None:
    searcher = Lookahead(EVALUATIONS[0])
    over = play_all(START, [12, PASS, PASS])
    for position, depth, margin in ((START, 0, 0), (START, DEEPEST + 1, 0), (START, 1, -1), (over, 1, 0)):
        with pytest.raises(ValueError, match=r"over|depth"):
            searcher.scores(position, depth, margin)
