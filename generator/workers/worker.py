"""The inside of a worker, a thread or a process: one kernel on the shared memory, one job at a time, and one log.

What a run logs goes to one file, in threads, in forked processes and in processes that are spawned.
"""

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from logging.handlers import QueueHandler, QueueListener
from pathlib import Path
from typing import Any

from multiprocessing_logging import MultiProcessingHandler

from book.files.atlas import SEARCH
from book.store.facts import Fact
from crew.workers import peak_memory, start_method, worker_context
from generator.workers.shared_memory import Shared
from runtime.files import open_to_write
from solver.answer import Answer
from solver.family import Variant
from solver.native.kernel import Kernel
from solver.position import Position, move_name
from solver.symmetry import canonical_key

#: Above the loggers of all that run in a worker.
_ROOT = logging.getLogger("generator")


@contextmanager
def one_log(path: Path, processes: bool) -> Iterator[None]:
    """Send what this process and its workers log to one file; raises OSError.

    processes: whether workers are processes. Forked ones inherit the way there; to spawned ones Records show it.
    """
    with open_to_write(path, add=True) as file:
        handler: logging.Handler = logging.StreamHandler(file)
        handler.setFormatter(
            logging.Formatter("%(asctime)s %(processName)s %(threadName)s %(levelname)s %(name)s: %(message)s")
        )
        if processes and start_method() == "fork":
            handler = MultiProcessingHandler("log", handler)
        _ROOT.setLevel(logging.DEBUG)
        _ROOT.addHandler(handler)
        try:
            yield
        finally:
            _ROOT.removeHandler(handler)
            handler.close()


class Records:
    """The way of what spawned workers log to this process's handlers; to be given to the workers when they start.

    A pipe, which a QueueHandler and a QueueListener take for a queue. It ends with its last writer, so that a worker
    that is killed keeps nothing waiting: one of multiprocessing's queues stays locked if its writer is killed.
    """

    def __init__(self) -> None:
        """Start to listen."""
        context = worker_context()
        self._reader, self._writer = context.Pipe(duplex=False)
        self._lock, self._level = context.Lock(), _ROOT.getEffectiveLevel()
        self._listener = QueueListener(self, *_ROOT.handlers)
        self._listener.start()

    def __getstate__(self) -> tuple[Any, ...]:
        return self._writer, self._lock, self._level

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._writer, self._lock, self._level = state

    def connect(self) -> None:
        """Send there what this process, a worker, logs."""
        _ROOT.setLevel(self._level)
        _ROOT.addHandler(QueueHandler(self))

    def put_nowait(self, record: logging.LogRecord | None) -> None:
        """Send a record, or None as the last one of this process."""
        if record is None:
            self._writer.close()
            return
        # The parent may have been killed.
        with self._lock, suppress(BrokenPipeError):
            self._writer.send(record)

    def get(self, block: bool = True) -> logging.LogRecord | None:
        """Wait for a record, and return it, or None when all processes have sent their last one."""
        try:
            record: logging.LogRecord = self._reader.recv()
        except (EOFError, OSError):
            return None
        return record

    def close(self) -> None:
        """Listen until the last worker has ended."""
        self._listener.stop()
        self._reader.close()


_log = logging.getLogger(__name__)

#: Nodes in a worker's slice of a question: a second or two.
SLICE_NODES = 4_000_000


class Tools:
    """A worker's tools for its jobs.

    kernel: on the table that all workers share.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._kept: list[tuple[Position, Answer]] = []

    def decide(self, position: Position, game: Variant) -> Answer:
        """Decide who wins the game, however long it takes."""
        while True:
            answer = self.kernel.decide(position, game.least)
            if game.winner(answer) is not None:
                return answer
            # The search stopped for want of room for expensive results.
            self._kept += self.kernel.take_kept()

    def take_kept(self) -> list[tuple[Position, Answer]]:
        """Return the expensive results since the last call, as Kernel.take_kept() does."""
        kept, self._kept = self._kept + self.kernel.take_kept(), []
        return kept


class Job(ABC):
    """A piece of work; it travels to the worker and back, maybe to another machine."""

    @abstractmethod
    def do(self, tools: Tools) -> Any:
        """Return the job's result."""

    def claims(self, result: Any) -> list[tuple[Position, Answer]]:
        """Return what a result says of positions; raises any exception for what is no result of this job.

        To be defined by all jobs that may travel to another machine.
        """
        raise NotImplementedError

    @abstractmethod
    def describe(self, result: Any) -> str:
        """Describe the job and its result in a line, for the log."""


@dataclass(frozen=True)
class QuestionJob(Job):
    """A slice of work on a question: does the value reach ``threshold``? For about ``node_limit`` nodes."""

    position: Position
    threshold: int
    node_limit: int

    def do(self, tools: Tools) -> Answer:
        """Return the answer, which may leave the question open."""
        return tools.kernel.decide(self.position, self.threshold, node_limit=self.node_limit)

    def claims(self, result: Answer) -> list[tuple[Position, Answer]]:
        """Return the answer."""
        return [(self.position, result)]

    def describe(self, result: Answer) -> str:
        """Return the question and its answer."""
        best = "none" if result.best is None else move_name(result.best)
        return f"ply {self.position.ply}, at least {self.threshold:+d}? {result.lo:+d} to {result.hi:+d}, best {best}"


@dataclass(frozen=True)
class JobResult:
    """The result of a job.

    result: what its do() returned.
    kept: the results on the way that cost most, with one-sided bounds.
    nodes: searched on the shared table. seconds: on the clock.
    peak_mib: the most memory the worker has had, the shared table included.
    maker: the number under which the store has noted a cluster's worker; given by the check of its results.
    """

    job: Job
    result: Any
    kept: list[tuple[Position, Answer]]
    nodes: int
    seconds: float
    peak_mib: int
    maker: int | None = None

    def facts(self, own: Sequence[Fact] = ()) -> list[Fact]:
        """Return what the store gets: the job's own results, and then the expensive ones that it came by.

        The latter may have one about the same position, whose nodes count once.
        """
        counted = {canonical_key(each.position) for each in own}
        kept = [Fact(position, *answer, maker=self.maker, origin=SEARCH) for position, answer in self.kept]
        return [*own, *(replace(each, nodes=0) if canonical_key(each.position) in counted else each for each in kept)]


#: This worker's tools, as ``mine``: each thread of a process sees its own.
_tools = threading.local()


def start_process(shared: Shared, keep_nodes: int, seed: int, records: Records | None) -> None:
    """Make this process a worker. records: where to log to, unless it has been inherited."""
    if records is not None:
        records.connect()
    start_thread(shared, keep_nodes, seed)


def start_thread(shared: Shared, keep_nodes: int, seed: int) -> Kernel:
    """Make this thread a worker, and return its kernel."""
    _tools.mine = Tools(Kernel(shared.table, busy=shared.busy, keep_nodes=keep_nodes, seed=seed))
    kernel: Kernel = _tools.mine.kernel
    return kernel


def work(job: Job) -> JobResult:
    """Do a job with this thread's tools."""
    tools: Tools | None = getattr(_tools, "mine", None)
    if tools is None:
        raise RuntimeError("work() before start_process() or start_thread()")
    return do_job(job, tools)


def do_job(job: Job, tools: Tools) -> JobResult:
    """Do a job."""
    kernel = tools.kernel
    started, before = time.perf_counter(), kernel.nodes
    result = job.do(tools)
    seconds = time.perf_counter() - started
    finding = JobResult(job, result, tools.take_kept(), kernel.nodes - before, seconds, peak_memory() >> 20)
    _log.debug("%s, %d nodes, %d kept, %.2f s", job.describe(result), finding.nodes, len(finding.kept), seconds)
    return finding
