"""tools.affected finds the tests, commands and pins that a change affects."""

import pytest

from tools.affected import COOKBOOK, PICTURES, affected_tests, block_tests, builds_of


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        # The tests are affected because of the same name, an import, or the command's options.
        ("arena/course/grading.py", {"tests/arena/course/test_grading.py", "tests/arena/review/test_fault.py"}),
        ("arena/commands/play.py", {"tests/test_options.py", "tests/test_messages.py", "tests/arena/commands"}),
        # The tests import the file through another file of tests, or run the player that contains the file.
        ("solver/alphabeta.py", {"tests/solver/test_nodes.py", "tests/player"}),
        ("book/commands/query.py", {"tests/arena/gtp/test_cli.py"}),
        # The tests are in the file's folder.
        ("arena/agents/greedy.py", {"tests/arena/agents", "tests/test_layout.py"}),
        ("solver/native/kernel.c", {"tests/solver", "tests/book/answers/test_reasons.py"}),
        # A page or a message is made of the file.
        ("arena/agents/timid.py", {"tests/test_messages.py"}),
        ("solver/native/kernel.c", {"tests/explorer/test_build.py"}),
        ("notation/forms.toml", {"tests/explorer", "tests/notation"}),
        ("notation/texts.py", {"tests/explorer"}),
        ("book/answers/judging.py", {"tests/explorer"}),
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


def test_only_the_blocks_of_changed_documents_are_run() -> None:
    changed = ["CHANGELOG.md", "CONTRIBUTING.md", "arena/agents/greedy.py", "docs/guides/GTP.md"]
    assert "tests/test_documents.py" not in affected_tests(changed)
    assert block_tests(changed) == "tests/test_documents.py -k 'CONTRIBUTING.md or docs/guides/GTP.md'"
    assert block_tests(["CHANGELOG.md"]) == ""
    assert block_tests(["arena/commands/play.py"]) == "tests/test_documents.py -k every_command"
    assert "tests/test_documents.py" in affected_tests(["tests/shell_blocks.py"])


@pytest.mark.parametrize(
    ("changed", "commands"),
    [
        (
            "solver/native/kernel.c",
            ["make setup", "make lint", "python -m lab bench", "make sanitize", "make explorer"],
        ),
        ("player/choose.py", ["python -m player build"]),
        ("explorer/page/rules.js", [PICTURES, "python -m explorer build"]),
        ("explorer/page/reading.js", ["python -m explorer build"]),
        ("explorer/page/judging.js", ["python -m explorer build"]),
        ("notation/forms.toml", ["python -m tools.reading_js", "python -m explorer build"]),
        ("notation/texts.py", ["python -m tools.reading_js", "python -m explorer build"]),
        ("book/answers/judging.py", ["python -m tools.reading_js", "python -m explorer build"]),
        ("lab/theorem/coq/Rules.v", ["make theorem-quick"]),
        ("book/store/views.py", [COOKBOOK]),
        ("pyproject.toml", ["make lock"]),
        ("README.md", []),
    ],
)
def test_the_commands_of_a_change(changed: str, commands: list[str]) -> None:
    assert builds_of([changed]) == commands
