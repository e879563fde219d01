"""The CPU budget."""

import time

import pytest

from little_go.arena.course.grading import SCHEMES
from little_go.player.clock import DEFAULT_BUDGET, MOST_BUDGET, Clock, clock_from


def test_default_and_variable() -> None:
    assert clock_from({}).budget == DEFAULT_BUDGET
    for budget in (0.001, 0.5, 1.5, MOST_BUDGET):
        assert clock_from({"LITTLE_GO_CPU": str(budget)}).budget == budget


@pytest.mark.parametrize("text", ["", "x", "0", "-1", "nan", "inf", f"{MOST_BUDGET + 0.1}"])
def test_a_senseless_budget_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="LITTLE_GO_CPU"):
        clock_from({"LITTLE_GO_CPU": text})


@pytest.mark.parametrize("year", SCHEMES)
def test_the_player_moves_within_the_limit_of_each_scheme(year: int) -> None:
    assert SCHEMES[year].move_cpu > MOST_BUDGET, "lower MOST_BUDGET in player/clock.py, and run python -m player build"


def test_shares() -> None:
    clock = Clock(4.0, start=10.0)
    assert clock.deadline() == 14.0
    assert clock.deadline(0.25) == 11.0


def test_only_cpu_time_counts() -> None:
    clock = Clock(1.0, start=time.process_time())
    time.sleep(0.1)
    assert clock.left() > 0.95
