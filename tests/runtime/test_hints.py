"""Hints contain the program as the user called it, and no file recommends ``python -m`` to users."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from little_go.runtime.hints import SHORT, command_line
from tests.test_layout import BESIDE, MAKERS, ROOMS, ROOT

#: A pattern of ``python -m ROOM``, except for agents, which are called by their module, and for the lab.
PYTHON_M = re.compile(rf"python[\d.]*\s+-m\s+(?:little_go\.)?(?:{'|'.join(sorted(ROOMS - MAKERS))})\b(?!\.)")

#: Files for contributors: the build commands of committed files, and the texts about the call of a package.
CONTRIBUTORS = {
    "CONTRIBUTING.md": ".*",
    "docs/DECISIONS.md": "`python -m book`|`python -P -m book`",
    "player/build.py": "Built by `python -m player build`",
    "runtime/hints.py": "``python -m book``|``python -m little_go.book``",
    "little_go/__main__.py": "``python -m little_go`` is the same",
    **{f"{room}/__init__.py": "# `python -m` looks for modules" for room in ROOMS},
}


def files() -> Iterator[Path]:
    """Yield the files with texts for users: documents, and sources of messages, help texts, pages and pictures."""
    yield from ROOT.glob("*.md")
    yield from [path for folder in ("docs", "data") for path in (ROOT / folder).rglob("*.md")]
    for room in sorted(ROOMS | BESIDE - {"tests", "tools"}):
        for suffix in ("py", "pyx", "js", "html", "css", "yaml", "sql", "typ", "toml"):
            yield from (ROOT / room).rglob(f"*.{suffix}")


def told(path: Path, text: str) -> list[str]:
    """Return the lines of a file that recommend ``python -m ROOM``."""
    allowed = CONTRIBUTORS.get(path.relative_to(ROOT).as_posix())
    text = re.sub(allowed, "", text) if allowed else text
    return [found[0] for found in PYTHON_M.finditer(text)]


def test_users_are_never_told_to_type_python_m() -> None:
    found = {path: told(path, path.read_text("utf-8")) for path in files()}
    assert len(found) > 250
    assert {str(path.relative_to(ROOT)): lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("run python -m book query", ["python -m book"]),
        ("`.venv/bin/python3 -m\narena play`", ["python3 -m\narena"]),
        ("python -m little_go.book query", ["python -m little_go.book"]),
        ("python -m little_go.arena.agents.greedy", []),
        ("python -m lab bench", []),
    ],
)
def test_what_users_must_not_be_told_is_found(text: str, found: list[str]) -> None:
    assert told(ROOT / "README.md", text) == found


def test_a_line_can_be_typed_as_it_stands() -> None:
    path = "my games; rm -r 'x'.db"
    assert shlex.split(command_line("book import --db", path)) == ["little-go", "import", "--db", path]
    assert command_line("proof fsck --prove", "all") == "little-go proof fsck --prove all"


def test_who_calls_a_room_is_told_to_call_rooms(tmp_path: Path) -> None:
    """A user who calls little-go gets hints with little-go."""
    words = ["query", "2,2", "--db", "none of mine.db"]
    error = "Error: none of mine.db does not exist: build it with {} import --db 'none of mine.db'\n"
    little_go = str(Path(sys.executable).with_name("little-go"))
    python_m = [sys.executable, "-m"]
    for called, named in (
        ([little_go, "book"], "little-go"),
        ([*python_m, "little_go.book"], "python -m little_go.book"),
        ([*python_m, "book"], "python -m book"),
    ):
        done = subprocess.run([*called, *words], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (2, error.format(named))


def test_short_names_are_of_rooms() -> None:
    assert {room for room, _ in SHORT.values()} <= ROOMS - MAKERS
