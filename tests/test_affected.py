"""tools.affected finds the tests, commands and pins that a change affects."""

import pytest

from tools.affected import affected_tests, builds_of


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        # The tests are affected because of the same name, an import, or the command's options.
        ("arena/course/grading.py", {"tests/arena/course/test_grading.py", "tests/arena/review/test_fault.py"}),
        ("arena/commands/play.py", {"tests/test_options.py", "tests/test_messages.py", "tests/arena/commands"}),
        # The tests are in the file's folder.
        ("arena/agents/greedy.py", {"tests/arena/agents", "tests/test_layout.py"}),
        ("solver/native/kernel.c", {"tests/solver", "tests/book/answers/test_reasons.py"}),
        ("explorer/page/rules.js", {"tests/explorer"}),
        # The tests mention the file.
        ("docs/reference/FIELDS.md", {"tests/test_fields.py", "tests/test_english.py"}),
        ("tests/options.txt", {"tests/test_options.py"}),
        ("tests/test_pins.py", {"tests/test_pins.py"}),
    ],
)
def test_the_tests_of_a_change(changed: str, found: set[str]) -> None:
    assert found <= set(affected_tests([changed]))


def test_a_file_that_its_folder_has_is_not_named_again() -> None:
    both = affected_tests(["solver/native/kernel.c", "tests/solver/test_nodes.py"])
    assert "tests/solver" in both
    assert "tests/solver/test_nodes.py" not in both


@pytest.mark.parametrize(
    ("changed", "commands"),
    [
        ("solver/native/kernel.c", ["make setup", "python -m lab bench", "make explorer"]),
        ("player/choose.py", ["python -m player build"]),
        ("explorer/page/rules.js", ["python -m explorer build"]),
        ("lab/theorem/coq/Rules.v", ["make theorem-quick"]),
        ("pyproject.toml", ["make lock"]),
        ("README.md", []),
    ],
)
def test_the_commands_of_a_change(changed: str, commands: list[str]) -> None:
    found = builds_of([changed])
    assert [command for command in found if command in commands] == commands
    assert bool(found) == bool(commands)
