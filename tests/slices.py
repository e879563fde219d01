"""A slice of the long tests for each change, so that a long test which no longer works is found before a release.

The variable LITTLE_GO_SLICE contains a seed and seconds. The seed determines the order of the tests. After the seconds
the run ends. A test that is running then is listed and has no result.
"""

import hashlib
import os
import signal
import time
from collections import Counter
from collections.abc import Generator

import pytest

from tests.skips import OVER, by_file

#: Set by `make test-slice`.
VARIABLE = "LITTLE_GO_SLICE"


#: The number of seconds after which a test that handled the end as a Ctrl-C, and did not end, is ended again.
_AGAIN = 20


class Slice:
    """The plugin, for runs in a single process."""

    def __init__(self, seed: str, seconds: float) -> None:
        self._seed, self._seconds = seed, seconds
        self._end = float("inf")
        self._count = 0
        self._done: Counter[str] = Counter()
        self._running = ""

    @property
    def _is_over(self) -> bool:
        return time.monotonic() >= self._end

    @pytest.hookimpl(wrapper=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, object, object]:
        """Sort the tests by the seed, after other plugins have removed and sorted tests."""
        result = yield
        items.sort(key=lambda item: hashlib.sha256(f"{self._seed} {item.nodeid}".encode()).digest())
        self._count = len(items)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Generator[None, object, object]:
        """End the tests like a Ctrl-C after the seconds."""
        before = signal.signal(signal.SIGALRM, self._stop)
        self._end = time.monotonic() + self._seconds
        signal.setitimer(signal.ITIMER_REAL, self._seconds, _AGAIN)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _stop(self, number: int, frame: object) -> None:
        raise KeyboardInterrupt(OVER)

    @pytest.hookimpl
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Record which test is running."""
        self._running = nodeid

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Replace the failure of a test that has handled the end as a Ctrl-C."""
        report = yield
        if self._is_over:
            item.session.shouldstop = OVER
            if report.failed:
                report.outcome = "skipped"
                report.longrepr = (str(item.path), 0, f"Skipped: {OVER}")
        elif report.when == "teardown":
            self._done[item.nodeid.partition("[")[0]] += 1
            self._running = ""
        return report

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None, object, object]:
        """Report success at the time limit if no test failed.

        Ignore errors of fixtures after the time limit: a browser cannot close if the time limit interrupted a call to
        it.
        """
        if self._is_over and session.exitstatus == pytest.ExitCode.INTERRUPTED:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED if session.testsfailed else pytest.ExitCode.OK
        try:
            return (yield)
        except Exception:
            if not self._is_over:
                raise
            return None

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the tests of the slice."""
        said = f"{self._done.total()} of {self._count} tests in {self._seconds:g} s, in the order by {self._seed}"
        for line in (said, *by_file(self._done), *([f"not finished: {self._running}"] if self._running else [])):
            terminalreporter.write_line(line)


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin if the variable is set."""
    if words := os.environ.get(VARIABLE):
        seed, seconds = words.split()
        config.pluginmanager.register(Slice(seed, float(seconds)))
