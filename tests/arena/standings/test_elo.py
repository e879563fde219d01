import math

import pytest

from little_go.arena.standings.standings import ratings


def test_equals_are_equal() -> None:
    assert [rating.elo for rating in ratings([[0, 5, 5], [5, 0, 5], [5, 5, 0]])] == pytest.approx([0, 0, 0])


def test_many_games_tell_the_odds() -> None:
    first, second = ratings([[0, 30_000], [10_000, 0]])
    assert first.elo - second.elo == pytest.approx(400 * math.log10(3), abs=0.1)
    assert first.elo == pytest.approx(-second.elo)


def test_interval_is_that_of_the_normal_approximation() -> None:
    # The difference of two ratings has the variance 1 / (n p (1 - p)). Each rating is half of the difference from the
    # mean.
    first, second = ratings([[0, 5000], [5000, 0]])
    assert first.error == pytest.approx(second.error)
    assert first.error == pytest.approx(0.5 * 1.96 * 400 / math.log(10) / math.sqrt(2500), rel=0.01)


def test_wins_without_a_loss_give_finite_ratings() -> None:
    strong, weak = ratings([[0, 100], [0, 0]])
    assert 500 < strong.elo - weak.elo < 3000
    assert math.isfinite(strong.error)


def test_strengths_follow_chains_of_opponents() -> None:
    elos = [rating.elo for rating in ratings([[0, 30, 0], [10, 0, 30], [0, 10, 0]])]
    assert elos == sorted(elos, reverse=True)
    assert elos[0] - elos[1] == pytest.approx(elos[1] - elos[2])


def test_agents_that_never_met_are_rated_by_the_prior() -> None:
    assert [rating.elo for rating in ratings([[0, 0], [0, 0]])] == [0, 0]
    assert ratings([]) == []


def test_likelihood_has_its_maximum_at_the_ratings() -> None:
    wins: list[list[float]] = [[0, 7, 3, 9], [2, 0, 5, 8], [6, 5, 0, 1], [0, 1, 9, 0]]
    elos = [rating.elo for rating in ratings(wins)]

    def log_likelihood(shift: list[float]) -> float:
        strengths = [(elo + more) * math.log(10) / 400 for elo, more in zip(elos, shift, strict=True)]
        chances = [[1 / (1 + math.exp(b - a)) for b in strengths] for a in strengths]
        return math.fsum(wins[i][j] * math.log(chances[i][j]) for i in range(4) for j in range(4))

    # The prior moves the maximum a little.
    best = log_likelihood([0, 0, 0, 0])
    for i in range(4):
        for step in (-40, 40):
            assert log_likelihood([step if k == i else 0 for k in range(4)]) < best
