"""Tests that a run does not run.

A machine skips tests whose programs are missing: the last line counts them and recommends the command that installs the
programs, and `.ci/run` fails. `make test-system` leaves the tests marked "long" to `make test-long` and lists them.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

#: Set by `.ci/run`, which installs all programs: a skip for another reason than ALLOWED then fails the run.
VARIABLE = "LITTLE_GO_NO_SKIPS"

#: The reason of a test that a slice of the long tests has ended (tests/slices.py).
OVER = "the seconds of the slice are over"

#: Reasons that no program removes: they are about the system, or about the state of the clone.
ALLOWED = (
    OVER,
    "no control group can be made here",
    "no linux.uml here",
    "no device can be made here",
    "no right to mount a small file system here",
    "this file system exchanges no names",
    "the system's Python is too old",
    "the numbers of system calls are not known for this machine",
    "no commit message has a line",
    "the kernel or the bench differs from the last commit",
    "this kernel ",
)


class Skips:
    """The plugin: it reads what the processes that test have reported."""

    def __init__(self) -> None:
        self._reasons: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a skip by its reason."""
        if report.skipped and not hasattr(report, "wasxfail"):
            self._reasons[reason_of(report)] += 1

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run that allows no skips, if there were some."""
        if any(self._refused()) and os.environ.get(VARIABLE) and not hasattr(session.config, "workerinput"):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Print the number of skipped tests, the missing programs, and the command that installs these programs."""
        if self._reasons and not hasattr(config, "workerinput"):
            print(last_line(self._reasons, list(self._refused()) if os.environ.get(VARIABLE) else []))

    def _refused(self) -> Iterator[str]:
        return (reason for reason in self._reasons if not reason.startswith(ALLOWED))


class Left:
    """The plugin that lists which long tests a run of system tests leaves to `make test-long`."""

    def __init__(self) -> None:
        self._left: Counter[str] = Counter()

    @pytest.hookimpl
    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Count the long tests by file and function."""
        self._left.update(item.nodeid.partition("[")[0] for item in items if item.get_closest_marker("long"))

    @pytest.hookimpl
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Pass the counts from a process that tests to the process that reports."""
        output: dict[str, object] = getattr(session.config, "workeroutput", {})
        output["left"] = dict(self._left)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take the counts of a process that tested; all processes collect the same tests."""
        self._left = Counter(getattr(node, "workeroutput", {}).get("left", self._left))

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print one line for each file."""
        if self._left and terminalreporter.config.option.markexpr.startswith("system"):
            terminalreporter.write_line(f"{self._left.total():,} tests are left to `make test-long`:")
            for line in by_file(self._left):
                terminalreporter.write_line(f"  {line}")


def by_file(tests: Counter[str]) -> list[str]:
    """Return a line for each file with its functions, and how many tests a function with several tests has."""
    files: dict[str, list[str]] = {}
    for test, count in sorted(tests.items()):
        file, _, function = test.partition("::")
        files.setdefault(file, []).append(function if count == 1 else f"{function} ({count})")
    return [f"{file}: {', '.join(functions)}" for file, functions in files.items()]


def reason_of(report: pytest.TestReport) -> str:
    """Return the reason of a skip."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ")


def last_line(reasons: Counter[str], refused: list[str]) -> str:
    """Return the line about skipped tests; refused: the reasons that fail the run."""
    missing: Counter[str] = Counter()
    for reason, tests in reasons.items():
        if not reason.startswith(ALLOWED) and (found := re.match(r"no (.+?) here", reason)):
            missing[found[1]] += tests
    count = reasons.total()
    line = f"{count} test{'s'[: count != 1]} skipped"
    if missing:
        programs = ", ".join(f"{name} ({tests})" for name, tests in missing.most_common())
        line += f" without {programs}: `make programs` installs what there is for this system"
    return line + (f". This run allows no skips: {'; '.join(refused)}" if refused else "")


def pytest_configure(config: pytest.Config) -> None:
    """Count skips and list long tests, if this module is a plugin."""
    config.pluginmanager.register(Skips())
    config.pluginmanager.register(Left())
