"""Fixtures for all tests of the arena."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from little_go.arena.agents import championship
from little_go.arena.standings.entrants import close_idle


@pytest.fixture(autouse=True)
def no_idle_warden() -> Iterator[None]:
    """End the idle wardens that a test has left for later contestants."""
    yield
    close_idle()


@pytest.fixture(autouse=True)
def own_answers(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the cache of championship apart from the user's cache, because tests change the agent."""
    monkeypatch.setattr(championship, "ANSWERS", str(tmp_path_factory.getbasetemp() / f"answers-{uuid4().hex}.db"))
