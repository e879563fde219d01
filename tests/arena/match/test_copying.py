"""The limits of a directory that is copied for every game: each is allowed exactly, and one more is refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from little_go.arena.match import copying
from little_go.arena.match.copying import copy_program, entries
from little_go.arena.match.limits import ProgramError


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """Return a directory with three files and two folders, the deepest of which has a file at depth 3."""
    folder = tmp_path / "agent"
    (folder / "tables" / "small").mkdir(parents=True)
    (folder / "agent.py").write_text("pass\n")
    (folder / "tables" / "one").write_bytes(bytes(1000))
    (folder / "tables" / "small" / "two").write_bytes(bytes(200))
    return folder


def copy_it(folder: Path) -> list[str]:
    into = folder.parent / "copy"
    into.mkdir()
    copy_program(folder / "agent.py", folder, into)
    return sorted(path.relative_to(into).as_posix() for path in into.rglob("*"))


def list_it(folder: Path) -> list[str]:
    return sorted(Path(entry.path).relative_to(folder).as_posix() for entry in entries(folder))


@pytest.mark.parametrize("read", [copy_it, list_it])
@pytest.mark.parametrize("limit", ["MOST_FILES", "MOST_BYTES", "MOST_DEPTH"])
@pytest.mark.parametrize("more", [0, 1])
def test_a_directory_at_a_limit_is_copied_and_one_beyond_it_is_not(
    agent: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Path], list[str]], limit: str, more: int
) -> None:
    found = [*agent.rglob("*")]
    sums = {"MOST_FILES": len(found), "MOST_BYTES": sum(path.lstat().st_size for path in found), "MOST_DEPTH": 3}
    monkeypatch.setattr(copying, limit, sums[limit] - more)
    if more:
        with pytest.raises(ProgramError, match="too large to be copied for every game"):
            read(agent)
    else:
        assert read(agent) == sorted(path.relative_to(agent).as_posix() for path in found)


@pytest.mark.parametrize("more", [0, 1])
def test_a_single_file_at_the_limit_is_copied(agent: Path, monkeypatch: pytest.MonkeyPatch, more: int) -> None:
    into = agent.parent / "copy"
    into.mkdir()
    monkeypatch.setattr(copying, "MOST_BYTES", len("pass\n") - more)
    if more:
        with pytest.raises(ProgramError, match=r"agent.py' is too large to be copied"):
            copy_program(agent / "agent.py", None, into)
    else:
        copy_program(agent / "agent.py", None, into)
        assert (into / "agent.py").read_text() == "pass\n"
