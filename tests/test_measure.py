"""`make measure` stores the figures in the places where the report and the documents read them."""

import sys

import pytest

from report.figures import STORED
from tests.test_layout import ROOT
from tools.measure import RUNS, duration, with_values

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_every_run_is_known_and_used() -> None:
    figures = tomllib.loads((ROOT / STORED).read_text("utf-8"))
    assert {figure["run"] for figure in figures.values() if "run" in figure} == set(RUNS)


@pytest.mark.parametrize(("key", "value"), [("nodes", "1 M"), ("clock", "2 s")])
def test_a_value_is_stored_in_its_section_alone(key: str, value: str) -> None:
    before = (ROOT / STORED).read_text("utf-8")
    after = tomllib.loads(with_values(before, "solve", {key: value}))
    assert after["solve"][key] == value
    after["solve"][key] = tomllib.loads(before)["solve"][key]
    assert after == tomllib.loads(before)


@pytest.mark.parametrize(("seconds", "words"), [(0.4, "0 s"), (59.4, "59 s"), (59.5, "1 min"), (1500, "25 min")])
def test_a_time_is_in_seconds_or_minutes(seconds: float, words: str) -> None:
    assert duration(seconds) == words
