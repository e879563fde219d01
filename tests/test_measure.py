"""What `make measure` stores is where the report and the documents look for it."""

import sys

import pytest

from tools.measure import RUNS, STORED, with_values

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_every_run_is_known_and_used() -> None:
    figures = tomllib.loads(STORED.read_text("utf-8"))
    assert {figure["run"] for figure in figures.values() if "run" in figure} == set(RUNS)


@pytest.mark.parametrize(("key", "value"), [("nodes", "1 M"), ("clock", "2 s")])
def test_a_value_is_stored_in_its_section_alone(key: str, value: str) -> None:
    before = STORED.read_text("utf-8")
    after = tomllib.loads(with_values(before, "solve", {key: value}))
    assert after["solve"][key] == value
    after["solve"][key] = tomllib.loads(before)["solve"][key]
    assert after == tomllib.loads(before)
