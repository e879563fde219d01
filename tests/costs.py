"""The cost of each test: CPU time of the process that runs it and of the processes that it started and waited for."""

import json
import os
import resource
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

#: The property of a report that contains the seconds of its phase: setup, call or teardown.
_PROPERTY = "cpu"

#: A test that takes more CPU seconds than this is listed at the end of a run.
_LISTED = 2.0


class Costs:
    """The plugin; each process of a run has one."""

    def __init__(self) -> None:
        self._before = _cpu_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add the seconds since the last report to this report. A fixture of the session counts for its first user."""
        report = yield
        now = _cpu_seconds()
        report.user_properties.append((_PROPERTY, now - self._before))
        self._before = now
        return report

    @pytest.hookimpl
    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the expensive tests, and write all costs as JSON to the file in the variable TEST_COSTS."""
        costs: dict[str, float] = defaultdict(float)
        for report in _reports(terminalreporter):
            costs[report.nodeid] += sum(
                float(str(value)) for name, value in report.user_properties if name == _PROPERTY
            )
        ordered = sorted(costs.items(), key=lambda cost: -cost[1])
        listed = [(seconds, name) for name, seconds in ordered if seconds > _LISTED]
        if listed:
            terminalreporter.write_line(
                f"{len(listed)} tests of more than {_LISTED:g} s of CPU, of {sum(costs.values()):.0f} s in all:"
            )
        for seconds, name in listed:
            terminalreporter.write_line(f"{seconds:6.1f} s  {name}")
        if path := os.environ.get("TEST_COSTS"):
            Path(path).write_text(json.dumps(dict(ordered), indent=1), "utf-8")


def _reports(reporter: pytest.TerminalReporter) -> Iterator[pytest.TestReport]:
    for kind in ("", "passed", "failed", "error", "skipped"):
        yield from (report for report in reporter.stats.get(kind, ()) if isinstance(report, pytest.TestReport))


def _cpu_seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
