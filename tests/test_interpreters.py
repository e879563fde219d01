"""Interpreters of other versions are found, and the tests' last line names those that ran the script."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import interpreters
from tools.interpreters import main, name_of, named_versions, script_pythons

ROOT = Path(__file__).parents[1]


def test_the_versions_are_those_of_pyproject() -> None:
    assert named_versions()[0] == "3.10"
    assert "{}.{}".format(*sys.version_info) in named_versions()


@pytest.fixture
def one_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three other versions one is found."""
    versions = ["3.1", "3.2", "3.3", "{}.{}".format(*sys.version_info)]
    monkeypatch.setattr(interpreters, "named_versions", lambda: versions)
    monkeypatch.setattr(interpreters, "find_python", {"3.2": "two"}.get)


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
    monkeypatch.setattr(interpreters, "find_python", lambda version: None)
    assert main() == "Error: there is no Python 3.1, 3.2, 3.3 here"


@pytest.mark.parametrize("graders", [True, False])
def test_the_last_line_names_who_ran_the_script(graders: bool) -> None:
    if graders and "3.7" not in script_pythons():
        graders = False
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment["LITTLE_GO_PY37"] = script_pythons()["3.7"] if graders else ""
    environment["PATH"] = "/bin"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "tests/player/test_main.py",
        "-k",
        "first_move",
    ]
    done = subprocess.run([*command, "-n", "1"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    this = name_of(sys.executable)
    told = f"{this}, {name_of(script_pythons()['3.7'])}\n" if graders else f"{this}; no CPython 3.7 is here, and"
    assert f"\nmy_player3.py was run by {told}" in done.stdout
