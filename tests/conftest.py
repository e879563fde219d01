"""Settings for all tests."""

import fcntl
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from little_go.book.answers import sources
from little_go.book.exchange.merge import import_shipped
from tests import slices
from tests.costs import Costs
from tests.explorer.vectors import NoNode, PageModules, open_modules
from tests.installing import Installed, install, installed_in
from tests.leaks import Interruption
from tests.leaks import _nothing_stays_open as _nothing_stays_open
from tests.skips import Left, Skips
from tools.browsing import NoBrowser, open_browser
from tools.programs import name_of, script_pythons

#: The property of a test's report that contains the interpreter of the script.
_RUN_BY = "run by"

# Examples have no time limit, because a test must not fail on a busy machine.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    """Measure the cost of tests, and let Ctrl-C end the processes that they start.

    A process in the background of a script ignores Ctrl-C, and its child processes inherit this.
    """
    config.pluginmanager.register(Costs())
    config.pluginmanager.register(Skips())
    config.pluginmanager.register(Left())
    config.pluginmanager.register(Interruption(config))
    slices.pytest_configure(config)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test that uses a browser as a system test."""
    if "browser" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.system)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files with a test that takes long first; otherwise keep the random order.

    All tests of a file stay together, because they share what the file's fixtures make.
    """
    early = {item.path for item in items if item.get_closest_marker("early")}
    items.sort(key=lambda item: item.path not in early)


@pytest.fixture(autouse=True)
def _ctrl_c_ends_the_tests() -> Iterator[None]:
    """Restore the handler of Ctrl-C, which a command that ran in a test may have changed."""
    handler = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.fixture
def hangup_ends() -> Iterator[None]:
    """Restore the default action of SIGHUP for the processes that a test starts, because nohup ignores this signal."""
    handler = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, handler)


@pytest.fixture(params=script_pythons().items(), ids=lambda found: str(found[0]))
def python(request: pytest.FixtureRequest, record_property: Callable[[str, object], None]) -> str:
    """An interpreter for the uploaded script: this one, and CPython 3.7 if it is installed."""
    record_property(_RUN_BY, request.param[0])
    return str(request.param[1])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the interpreters that ran the script."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, ())]
    used = {value for report in reports for name, value in report.user_properties if name == _RUN_BY}
    if used:
        told = ", ".join(name_of(path) for version, path in script_pythons().items() if version in used)
        rest = "" if "3.7" in used else "; no CPython 3.7 is here, and vermin checked what it would reject"
        terminalreporter.write_line(f"my_player3.py was run by {told}{rest}")


class TickingClock:
    """A process clock that advances by a millisecond at each call, so that it does not depend on the machine.

    looks: the number of calls.
    """

    def __init__(self) -> None:
        self.looks = 0

    def __call__(self) -> float:
        """Return the seconds."""
        self.looks += 1
        return self.looks / 1000


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> TickingClock:
    """Replace time.process_time by a ticking clock."""
    clock = TickingClock()
    monkeypatch.setattr(time, "process_time", clock)
    return clock


@pytest.fixture
def no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Imitate an installation without a kernel. The sources that need no kernel are not kept for other tests."""
    monkeypatch.setitem(sys.modules, "little_go.solver.native.kernel", None)
    monkeypatch.delitem(sys.modules, "little_go.solver.native.moves", raising=False)
    monkeypatch.setattr(sources, "_shipped", sources._shipped.__wrapped__)


@pytest.fixture(scope="session")
def shipped_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the shipped files, which tests must not change."""
    with once_for_all(tmp_path_factory, "shipped.db") as path:
        if not path.exists():
            list(import_shipped(path))
    return path


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The project in a separate environment, which tests must not change."""
    with once_for_all(tmp_path_factory, "installed") as place:
        if not place.exists():
            place.mkdir()
            return install(place)
    return installed_in(place)


@contextmanager
def once_for_all(factory: pytest.TempPathFactory, name: str) -> Iterator[Path]:
    """Yield a path that all processes of a run share, to one process at a time; the first one creates the content."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    path = folder / name
    with open(f"{path}.lock", "w") as lock:
        fcntl.lockf(lock, fcntl.LOCK_EX)
        yield path


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One browser for all tests of a process."""
    try:
        with open_browser() as opened:
            yield opened
    except NoBrowser as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def page_modules() -> Iterator[PageModules]:
    """One process of Node.js with the page's modules for all tests of a process."""
    try:
        with open_modules() as opened:
            yield opened
    except NoNode as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def violations() -> Callable[[Any], list[str]]:
    """A function that returns the accessibility rules that a page breaks, with the places, by axe."""
    package = pytest.importorskip("axe_playwright_python", reason="no axe here: `make browser` installs it")
    source = Path(package.__file__).with_name("axe.min.js").read_text("utf-8")

    def look(page: Any) -> list[str]:
        page.evaluate(source)
        found = page.evaluate("axe.run()")["violations"]
        return [f"{rule['id']}: {node['target']}" for rule in found for node in rule["nodes"]]

    return look
