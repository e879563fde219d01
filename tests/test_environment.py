"""ENVIRONMENT.md lists the exit codes, variables and targets of the code."""

import ast
import re
from pathlib import Path

import pytest

from little_go.__main__ import PACKAGES
from little_go.runtime.ctrl_c import INTERRUPTED
from little_go.runtime.errors import BELIEVED, FOUND
from little_go.runtime.terminal import CANNOT

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "reference" / "ENVIRONMENT.md").read_text("utf-8")
DEVELOPERS = (ROOT / "CONTRIBUTING.md").read_text("utf-8")

#: The exit codes of commands; each is defined once in the code.
CODES = {0, FOUND, CANNOT, BELIEVED, INTERRUPTED}

#: The arena sets this variable itself, so that it can find the processes that a program started.
OWN = {"LITTLE_GO_PROGRAM"}

#: These targets are steps of other targets.
STEPS = {"lint-ruff", "lint-mypy", "lint-c", "lint-systems", "lint-darwin", "lint-win32", "datasette-packages", "coq"}
STEPS |= {"test-python", "cross"}

INSTALLED = [path for room in (*PACKAGES, "crew", "notation", "runtime") for path in (ROOT / room).rglob("*.py")]

#: The programs of this module resign with a word instead of a move.
AGENTS = ROOT / "arena" / "agents" / "__init__.py"

#: This module contains the text of a program that a grading host runs.
UPLOADED = ROOT / "arena" / "classroom" / "gradebook.py"


def test_the_exit_codes_are_the_codes() -> None:
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", TEXT, re.MULTILINE)] == sorted(CODES)


@pytest.mark.parametrize("path", INSTALLED, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_command_ends_with_a_listed_code_and_a_line_of_one_style(path: Path) -> None:
    """Commands do not raise click's ClickException, which states no kind of error, or SystemExit with a text."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called != "click.ClickException", node.lineno
            if called in ("sys.exit", "SystemExit") and path not in (AGENTS, UPLOADED):
                (code,) = node.args
                assert not isinstance(code, ast.JoinedStr), node.lineno
                assert not isinstance(code, ast.Constant) or code.value in CODES, node.lineno


def test_the_variables_are_those_that_the_commands_read() -> None:
    read = {name for path in INSTALLED for name in re.findall(r"\bLITTLE_GO_[A-Z]+\b", path.read_text("utf-8"))}
    assert set(re.findall(r"^\| `(LITTLE_GO_\w+)`", TEXT, re.MULTILINE)) == read - OWN


def test_every_target_is_listed_once_for_users_or_for_developers() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z][a-z.-]*):", makefile, re.MULTILINE))
    (listed,) = re.findall(r"^`make setup`, (.*?) are for users", TEXT, re.MULTILINE | re.DOTALL)
    users = {"setup", *re.findall(r"`([a-z][a-z.-]*)`", listed)}
    assert users <= targets
    missing = {
        name
        for name in targets - users - STEPS
        if f"make {name}`" not in DEVELOPERS and f"make {name} " not in DEVELOPERS
    }
    assert missing == set()
