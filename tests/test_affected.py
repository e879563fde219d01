"""tools.affected finds the tests, commands and pins that a change affects."""

import subprocess
from functools import partial
from pathlib import Path

import pytest

from tools import affected
from tools.affected import (
    COOKBOOK,
    PICTURES,
    Change,
    affected_tests,
    block_tests,
    builds_of,
    changes_since,
    containing_tests,
    removed_texts,
)


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        # The tests are affected because of the same name, an import, or the command's options.
        ("arena/course/grading.py", {"tests/arena/course/test_grading.py", "tests/arena/review/test_fault.py"}),
        ("arena/commands/play.py", {"tests/test_options.py", "tests/test_messages.py", "tests/arena/commands"}),
        # The tests import the file through another file of tests, or run the player that contains the file.
        ("solver/alphabeta.py", {"tests/solver/test_nodes.py", "tests/player"}),
        ("book/commands/solver.py", {"tests/solver/test_wasm.py"}),
        # The test contains the module's name in a string, because it replaces a constant of the module.
        ("book/commands/query.py", {"tests/book/answers/test_query.py"}),
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


@pytest.mark.parametrize(
    ("removed", "added", "found"),
    [
        # An option, a name, and words of a message are replaced.
        ('"--again", is_flag=True', '"--replay", is_flag=True', {"--again"}),
        ("count AS failing_share", "count AS failing_fraction", {"failing_share"}),
        ('"is off the board"', '"lies beside the board"', {"is off the"}),
        ('f"{path} does not exist: add {it}"', 'f"{path} is missing: add {it}"', {"does not exist: add"}),
        ('f"{path} does not exist."', 'f"{path} is missing."', {"does not exist"}),
        ("x: give a vertex such as C3", "x: give a point such as C3", {"a vertex such"}),
        ("it is off the board here", "it lies beside the board here", {"it is off the"}),
        # A line moves, loses code, or is new.
        ('"--again" one_name', 'one_name "--again"', set()),
        ("a[1] += total; b", "a[2] += total; b", set()),
        ("", '"--again": a new line', set()),
    ],
)
def test_names_and_phrases_that_a_change_removes(removed: str, added: str, found: set[str]) -> None:
    assert removed_texts(Change([removed], [added])) == found


def test_the_changed_lines_of_each_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    files: dict[str, tuple[str, str]] = {
        # The removed line looks like the name of a file, and the added one like the name of another.
        "views.sql": ("-- a/comment\nSELECT 1\n", "++ b/comment\nSELECT 1\n"),
        "two words.py": ("old\n", "new"),
        "added.py": ("", "more\n"),
        "removed.py": ("less\n", ""),
        "explorer.html": ("x\n", "y\n"),
        "tests/test_a.py": ("x\n", "y\n"),
    }
    git = partial(subprocess.run, cwd=tmp_path, check=True, capture_output=True)
    git(["git", "init", "--quiet"])
    for version in (0, 1):
        for name, versions in files.items():
            path = tmp_path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(versions[version]) if versions[version] else path.unlink(missing_ok=True)
        git(["git", "add", "--all"])
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        git(["git", *identity, "commit", "--quiet", "--message", "A change"])
    monkeypatch.setattr(affected, "ROOT", tmp_path)
    assert changes_since("HEAD~1") == {
        "views.sql": Change(["-- a/comment"], ["++ b/comment"]),
        "two words.py": Change(["old"], ["new"]),
        "added.py": Change([], ["more"]),
        "removed.py": Change(["less"], []),
    }


def test_a_text_is_found_in_tests_and_in_their_files_of_data() -> None:
    assert "tests/test_affected.py" in containing_tests(["failing_share"])
    assert "tests/test_affected.py" not in containing_tests(["failing" + "_shar", "ailing" + "_share"])
    # A file of data contains the text, and a test contains the name of this file.
    assert "tests/test_options.py" in containing_tests(["self, greedy, aggressive, alphabeta"])
    assert affected_tests([], ["failing_share"]) == sorted(containing_tests(["failing_share"]))


def test_a_built_file_has_the_tests_of_its_build() -> None:
    assert affected_tests(["explorer.html", "my_player3.py"]) == [
        "tests/explorer/test_build.py",
        "tests/player/test_build.py",
    ]


def test_the_recipes_are_followed_if_they_change() -> None:
    assert "tests/test_recipes.py" not in affected_tests(["arena/course/grading.py", "notation/forms.toml"])
    assert "tests/test_recipes.py" in affected_tests(["CONTRIBUTING.md"])


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
        ("player/choose.py", ["python -m player build", "make lint lint-systems"]),
        ("explorer/page/rules.js", [PICTURES, "python -m explorer build"]),
        ("explorer/page/reading.js", ["python -m explorer build"]),
        ("explorer/page/judging.js", ["python -m explorer build"]),
        ("notation/forms.toml", ["python -m tools.reading_js", "python -m explorer build"]),
        ("notation/texts.py", ["python -m tools.reading_js", "python -m explorer build", "make lint lint-systems"]),
        (
            "book/answers/judging.py",
            ["python -m tools.reading_js", "python -m explorer build", "make lint lint-systems"],
        ),
        ("lab/theorem/coq/Rules.v", ["make theorem-quick"]),
        ("book/store/views.py", [COOKBOOK, "make lint lint-systems"]),
        ("tools/wheels.py", ["make lint"]),
        ("pyproject.toml", ["make lock"]),
        ("README.md", []),
    ],
)
def test_the_commands_of_a_change(changed: str, commands: list[str]) -> None:
    assert builds_of([changed]) == commands
