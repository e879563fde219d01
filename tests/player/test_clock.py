"""The CPU budget."""

import time

import pytest

from little_go.player.clock import DEFAULT_BUDGET, Clock, clock_from


def test_default_and_variable() -> None:
    assert clock_from({}).budget == DEFAULT_BUDGET
    assert clock_from({"LITTLE_GO_CPU": "1.5"}).budget == 1.5


@pytest.mark.parametrize("text", ["", "x", "0", "-1", "nan", "inf", "10"])
def test_a_senseless_budget_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="LITTLE_GO_CPU"):
        clock_from({"LITTLE_GO_CPU": text})


def test_shares() -> None:
    clock = Clock(4.0, start=10.0)
    assert clock.deadline() == 14.0
    assert clock.deadline(0.25) == 11.0


def test_only_cpu_time_counts() -> None:
    clock = Clock(1.0, start=time.process_time())
    time.sleep(0.1)
    assert clock.left() > 0.95
