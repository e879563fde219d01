"""Settings for all tests."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from book.exchange.merge import import_shipped
from tools.browsing import NoBrowser, open_browser

# A busy machine must not fail a test, so no example is timed.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Count a test that looks at a page in a browser among those of the whole system."""
    if "browser" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.system)


class TickingClock:
    """A process clock that goes on by a millisecond at each look, however busy the machine is.

    looks: how often it was looked at.
    """

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        """Return the seconds."""
        self.looks += 1
        return self.looks / 1000


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> TickingClock:
    """Put a ticking clock in the place of time.process_time."""
    clock = TickingClock()
    monkeypatch.setattr(time, "process_time", clock)
    return clock


@pytest.fixture(scope="session")
def shipped_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store built from what ships, once for all processes that test; to be read only."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    path = folder / "shipped.db"
    with open(f"{path}.lock", "w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        if not path.exists():
            list(import_shipped(path))
    return path


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests of a process."""
    try:
        with open_browser() as opened:
            yield opened
    except NoBrowser as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def violations() -> Callable[[Any], list[str]]:
    """What axe finds in the way of a reader of a page as it stands: each rule that is broken, and where."""
    package = pytest.importorskip("axe_playwright_python", reason="no axe here: `make browser` installs it")
    source = Path(package.__file__).with_name("axe.min.js").read_text("utf-8")

    def look(page: Any) -> list[str]:
        page.evaluate(source)
        found = page.evaluate("axe.run()")["violations"]
        return [f"{rule['id']}: {node['target']}" for rule in found for node in rule["nodes"]]

    return look
