"""Interpreters of other versions are found, and the tests' last line lists the interpreters that ran the script."""

import sys
from types import SimpleNamespace
from typing import cast

import pytest

from tests import conftest
from tools import programs
from tools.programs import main, named_versions, script_pythons


def test_the_versions_are_those_of_pyproject() -> None:
    assert named_versions()[0] == "3.10"
    assert "{}.{}".format(*sys.version_info) in named_versions()


@pytest.fixture
def one_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of three other versions is installed."""
    versions = ["3.1", "3.2", "3.3", "{}.{}".format(*sys.version_info)]
    monkeypatch.setattr(programs, "named_versions", lambda: versions)
    monkeypatch.setattr(programs, "find_python", {"3.2": "two"}.get)


@pytest.mark.usefixtures("one_other")
@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ((), None),
        (("3.2",), None),
        (("3.1", "3.2"), "Error: there is no Python 3.1 here"),
        (("3.2", "newest"), "Error: pyproject.toml does not name Python newest"),
    ],
)
def test_the_other_versions_are_listed_and_one_that_is_wanted_is_not_left_out(
    wanted: tuple[str, ...], message: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(*wanted) == message
    output = capsys.readouterr()
    assert output.out == ("" if message else "3.2 two\n")
    assert output.err.count("its tests are not run") == (0 if wanted else 2)


@pytest.mark.usefixtures("one_other")
def test_no_other_version_at_all_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "find_python", lambda version: None)
    assert main() == "Error: there is no Python 3.1, 3.2, 3.3 here"


class Lines:
    """A substitute for pytest's reporter, which records the lines at the end of a run."""

    def __init__(self, *versions: str) -> None:
        reports = [SimpleNamespace(user_properties=[("run by", version)]) for version in versions]
        self.stats = {"passed": reports[:1], "failed": reports[1:]}
        self.written: list[str] = []

    def write_line(self, line: str) -> None:
        self.written.append(line)


@pytest.mark.parametrize(
    ("used", "line"),
    [
        ([], []),
        (["3.9"], ["my_player3.py was run by A; no CPython 3.7 is here, and vermin checked what it would reject"]),
        (["3.9", "3.7"], ["my_player3.py was run by A, B"]),
    ],
)
def test_the_last_line_names_who_ran_the_script(
    used: list[str], line: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest, "script_pythons", lambda: {"3.9": "a", "3.7": "b", "3.8": "c"})
    monkeypatch.setattr(conftest, "name_of", str.upper)
    reporter = Lines(*used)
    conftest.pytest_terminal_summary(cast("pytest.TerminalReporter", reporter))
    assert reporter.written == line


def test_a_test_of_the_script_notes_who_runs_it(python: str, request: pytest.FixtureRequest) -> None:
    (found,) = [value for name, value in request.node.user_properties if name == "run by"]
    assert script_pythons()[found] == python
