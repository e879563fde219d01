"""The measurements of the warden, with processes and memory that a test has made up."""

import os
import subprocess
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from little_go.arena.match import warden
from little_go.arena.match.limits import LONGEST_PAUSE, SHORTEST_PAUSE, ErrorTail, Limits
from little_go.arena.match.warden import Process, _ProgramMeter

LIMITS = Limits(cpu=10.0, wall=30.0, memory=1000, processes=3)


def process(seconds: float = 0.0, of_children: float = 0.0, started: int = 1, threads: int = 1) -> Process:
    return Process(1, 1, seconds, of_children, started, threads)


@pytest.fixture
def meter(monkeypatch: pytest.MonkeyPatch) -> Iterator[_ProgramMeter]:
    """A meter whose warden had waited for children of 5 s before, with no process."""
    monkeypatch.setattr(warden, "_reaped_seconds", lambda: 5.0)
    monkeypatch.setattr(warden, "_below_now", lambda top: iter(()))
    monkeypatch.setattr(warden, "_own_memory", lambda pid: 0)
    monkeypatch.setattr(warden, "_shared_memory", lambda pid: iter(()))
    reading, writing = os.pipe()
    with open(reading, "rb") as errors, open(writing, "wb"):
        yield _ProgramMeter(LIMITS, 5.0, errors, None)


def test_cpu_counts_the_running_and_the_ended(meter: _ProgramMeter, monkeypatch: pytest.MonkeyPatch) -> None:
    meter._measure_cpu({7: process(1.0, 0.5), 8: process(2.0)})
    assert meter.cpu == 3.5
    # A process that ended is known only from earlier measurements, and the id 7 belongs to another process.
    meter._measure_cpu({7: process(1.5, started=2)})
    assert meter.cpu == 4.5
    # The number never decreases.
    meter._measure_cpu({})
    assert meter.cpu == 4.5
    monkeypatch.setattr(warden, "_reaped_seconds", lambda: 11.0)
    meter._measure_cpu({7: process(1.5, started=2)})
    assert meter.cpu == 7.5


def test_the_control_group_may_know_more(meter: _ProgramMeter) -> None:
    group: Any = SimpleNamespace(seconds=6.0, has_killed=False)
    meter._group = group
    meter._measure_cpu({7: process(1.0)})
    assert meter.cpu == 6.0
    group.seconds = 2.0
    meter._measure_cpu({7: process(9.0)})
    assert meter.cpu == 9.0
    group.has_killed = True
    assert meter._measure() == "memory"


@pytest.mark.parametrize(("threads", "exceeded"), [((1, 2), ""), ((1, 3), "processes"), ((1, 1, 1, 1), "processes")])
def test_processes_and_threads_count_together(
    meter: _ProgramMeter, monkeypatch: pytest.MonkeyPatch, threads: tuple[int, ...], exceeded: str
) -> None:
    found = {pid: process(threads=count) for pid, count in enumerate(threads)}
    monkeypatch.setattr(warden, "_below_now", lambda top: iter(found.items()))
    assert meter._measure() == exceeded


@pytest.mark.parametrize(
    ("own", "shared", "memory", "exceeded"),
    [
        ({7: 400, 8: 600}, {}, 1000, ""),
        ({7: 400, 8: 601}, {}, 1001, "memory"),
        # Shared memory counts once, with its largest size.
        ({7: 100, 8: 100}, {7: [((1, 1), 300)], 8: [((1, 1), 500)]}, 700, ""),
        ({7: 100, 8: 100}, {7: [((1, 1), 500)], 8: [((1, 1), 300)]}, 700, ""),
        ({7: 100, 8: 100}, {7: [((1, 1), 400)], 8: [((1, 2), 401)]}, 1001, "memory"),
        ({7: 0}, {7: [((1, 1), 1001), ((1, 2), 5)]}, 1006, "memory"),
    ],
)
def test_memory_of_all_processes(
    meter: _ProgramMeter,
    monkeypatch: pytest.MonkeyPatch,
    own: dict[int, int],
    shared: dict[int, list[tuple[tuple[int, int], int]]],
    memory: int,
    exceeded: str,
) -> None:
    monkeypatch.setattr(warden, "_below_now", lambda top: iter({pid: process() for pid in own}.items()))
    monkeypatch.setattr(warden, "_own_memory", own.__getitem__)
    monkeypatch.setattr(warden, "_shared_memory", lambda pid: iter(shared.get(pid, [])))
    assert (meter._measure(), meter._memory) == (exceeded, memory)
    meter._deadline = time.monotonic() - 1
    assert meter._measure() == (exceeded if sum(own.values()) > LIMITS.memory else "wall")
    # Without a limit no memory is read.
    meter._limits, meter._memory = LIMITS._replace(memory=0), -1
    assert (meter._measure(), meter._memory) == ("", -1)


def test_the_pause_depends_on_cpu_and_memory(meter: _ProgramMeter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.arena.match.limits._CORES", 2)
    meter._limits = Limits(cpu=10.0, memory=1 << 30)
    assert meter._pause() == LONGEST_PAUSE
    meter.cpu = 9.8
    assert meter._pause() == pytest.approx(0.1)
    meter._memory = (1 << 30) - (1 << 28)
    assert meter._pause() == pytest.approx(0.0625)
    meter._memory = 1 << 30
    assert meter._pause() == SHORTEST_PAUSE
    meter._limits = Limits(cpu=10.0)
    assert meter._pause() == pytest.approx(0.1)


def test_errors_are_read_until_they_are_closed() -> None:
    reading, writing = os.pipe()
    with open(reading, "rb") as errors:
        meter = _ProgramMeter(LIMITS, 0.0, errors, None)
        assert (meter.read_errors(), meter.tail.text()) == (True, "")
        os.write(writing, b"x" * 10)
        assert (meter.read_errors(), meter.tail.text()) == (True, "x" * 10)
        os.write(writing, b"y" * (1 << 16))
        assert meter.read_errors()
        os.close(writing)
        assert not meter.read_errors()
    expected = ErrorTail()
    expected.add(b"x" * 10 + b"y" * (1 << 16))
    assert meter.tail.text() == expected.text()


def test_this_process_is_read_from_proc() -> None:
    found = warden._process(os.getpid())
    assert found is not None
    assert (found.parent, found.group) == (os.getppid(), os.getpgid(0))
    times = os.times()
    assert found.seconds == pytest.approx(times.user + times.system, abs=0.1)
    assert found.of_children == pytest.approx(times.children_user + times.children_system, abs=0.1)
    assert found.threads == len(os.listdir("/proc/self/task"))
    assert dict(warden.processes())[os.getpid()].started == found.started
    assert warden._process(2**22 + 1) is None
    own, resident = warden._own_memory(os.getpid()), 0
    with open("/proc/self/status") as file:
        resident = next(int(line.split()[1]) * 1024 for line in file if line.startswith("RssAnon"))
    assert own == pytest.approx(resident, rel=0.1)
    assert warden._own_memory(2**22 + 1) == 0
    assert warden.waited_seconds(2**22 + 1) == 0


def test_a_name_with_blanks_and_brackets_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = list(range(100, 152))
    line = b"7 (a ) b) S " + " ".join(map(str, numbers)).encode()
    monkeypatch.setattr(warden, "_content", lambda path: line)
    monkeypatch.setattr(warden, "_TICKS_PER_SECOND", 100)
    # The fields follow the state: parent 100, group 101, times 110 to 113, threads 116 and start 118.
    assert warden._process(7) == Process(100, 101, 2.21, 2.25, 118, 116)


def test_time_without_a_core_is_in_nanoseconds(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    threads = []
    for name, text in (("1", "9 1500000000 3"), ("2", "9 500000000 3"), ("3", "9")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "schedstat").write_text(text)
        threads.append(str(tmp_path / name))
    monkeypatch.setattr(warden, "_threads", lambda pid: threads)
    assert warden.waited_seconds(7) == 2.0


@pytest.mark.parametrize("lists", [True, False])
def test_descendants_are_found_with_and_without_lists_of_children(monkeypatch: pytest.MonkeyPatch, lists: bool) -> None:
    children = {1: [2, 3], 2: [4], 3: [], 4: []}
    monkeypatch.setattr(warden, "_LISTS_CHILDREN", lists)
    monkeypatch.setattr(warden, "_children", lambda pid: iter(children[pid]))
    monkeypatch.setattr(warden, "_process", lambda pid: None if pid == 3 else process(started=pid))
    monkeypatch.setattr(warden, "_below", lambda top: iter([(9, process())]))
    assert sorted(pid for pid, _ in warden._below_now(1)) == ([2, 4] if lists else [9])


@pytest.mark.parametrize(
    ("cpu", "measured", "late", "ended", "exceeded"),
    [
        (10.0, "", False, False, "cpu"),
        (0.0, "", True, False, "wall"),
        (0.0, "cpu", True, False, "cpu"),
        (0.0, "memory", False, False, "memory"),
        (0.0, "", False, True, ""),
    ],
)
def test_why_the_wait_for_a_program_ends(
    meter: _ProgramMeter,
    monkeypatch: pytest.MonkeyPatch,
    *,
    cpu: float,
    measured: str,
    late: bool,
    ended: bool,
    exceeded: str,
) -> None:
    def measure() -> str:
        meter.cpu = 10.0 if measured == "cpu" else meter.cpu
        return measured

    monkeypatch.setattr(meter, "_measure", measure)
    monkeypatch.setattr(warden, "_below", lambda top: iter([(7, process()), (8, process())]))
    monkeypatch.setattr(warden, "waited_seconds", lambda pid: pid / 2)
    reading, writing = os.pipe()
    with (
        open(reading, "rb") as orders,
        open(writing, "wb"),
        subprocess.Popen(["true" if ended else "cat"], stdin=subprocess.PIPE) as program,
    ):
        monkeypatch.setattr("sys.stdin", orders)
        meter.cpu = cpu
        meter._deadline = time.monotonic() + (-1 if late else 60)
        assert meter.wait(program.pid) == exceeded
        program.kill()
    assert meter.waited == (7.5 if exceeded == "wall" else 0.0)
    assert 0 < meter.wall < 60
