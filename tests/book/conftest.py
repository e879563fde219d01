"""Fixtures that the tests of the book share."""

from pathlib import Path

import pytest

from little_go.book.store.facts import Fact
from little_go.solver.position import PASS, START, Position
from tests.book.positions import CENTRE, REPLY, make_store


@pytest.fixture
def no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the working directory and as the clone, so a command finds no store unless it makes one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("little_go.runtime.release._CLONE", tmp_path)
    return tmp_path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small store, ``book.db``, as the working directory."""
    make_store(
        tmp_path / "book.db",
        Fact(START, 3, 24, best=12, nodes=99),
        Fact(CENTRE, 3, 5, best=7, nodes=5),
        Fact(REPLY, 4, 4, best=PASS),
        Fact(START.play(0), -5, 9, best=12),
        Fact(START.play(2), -24, 2),
        Fact(Position(ply=22), 1, 1, best=PASS),
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path
