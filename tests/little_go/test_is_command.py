"""Only if a process is the command little-go, Ctrl-C ends it immediately."""

import sys

import pytest

from little_go import _is_command


@pytest.mark.parametrize(
    ("words", "is_ours"),
    [
        (["/usr/local/bin/little-go", "query"], True),
        (["C:/Scripts/little-go.exe", "query"], True),
        (["/usr/bin/pytest", "little-go"], False),
        (["a.little-go"], False),
        ([], False),
    ],
)
def test_the_command_is_known_by_its_name(words: list[str], is_ours: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", words)
    assert _is_command() is is_ours


@pytest.mark.parametrize(("module", "is_ours"), [("little_go", True), ("arena", False)])
def test_a_module_is_known_before_python_has_found_its_file(
    module: str, is_ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["-m", "query"])
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", module, "query"])
    assert _is_command() is is_ours
