"""Fixtures for both runners of programs, which can both run on Linux."""

from collections.abc import Callable, Iterator

import pytest

from little_go.arena.match.plain_runner import PlainRunner
from little_go.arena.match.process import WardenRunner
from little_go.arena.match.programs import Runner
from tests.arena import helpers


@pytest.fixture(autouse=True)
def _children_of_others() -> None:
    """Let children() omit the processes that the test has not started."""
    helpers.EARLIER.clear()
    helpers.EARLIER.update(helpers.children())


KINDS: dict[str, Callable[[], Runner]] = {"warden": WardenRunner, "plain": PlainRunner}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make the tests' helpers open this kind of runner, and return its name.

    A test of something that only one kind has takes ``pytest.mark.parametrize("kind", ["warden"], indirect=True)``.
    """
    name = str(request.param)
    monkeypatch.setattr("tests.arena.helpers.open_runner", KINDS[name])
    return name


@pytest.fixture
def runner(kind: str) -> Iterator[Runner]:
    """Yield an open runner of this kind."""
    with KINDS[kind]() as opened:
        yield opened
