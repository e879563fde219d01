"""A worker: a thread or a process with a kernel on the shared memory, which does one job at a time.

All messages of a run go into one log file, from threads, forked processes and spawned processes.
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

from little_go.book.files.atlas import SEARCH
from little_go.book.store.facts import Fact
from little_go.crew.workers import peak_memory, start_method, worker_context
from little_go.generator.workers.shared_memory import Shared
from little_go.runtime.files import open_to_write
from little_go.solver.answer import Answer
from little_go.solver.family import Variant
from little_go.solver.native.kernel import Kernel
from little_go.solver.position import Position, move_name
from little_go.solver.symmetry import canonical_key

#: The parent of the loggers of all modules that run in a worker.
_ROOT = logging.getLogger("little_go.generator")


@contextmanager
def log_to_file(path: Path, processes: bool) -> Iterator[None]:
    """Write the messages of this process and its workers to one log file.

    processes: whether the workers are processes. Forked workers inherit the log's pipe; spawned workers get a LogPipe.
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


class LogPipe:
    """A pipe from spawned workers to the log handlers of this process. Pass the LogPipe to the workers when they start.

    The class has the queue methods that QueueHandler and QueueListener call. The pipe closes when the last writer ends,
    so a killed worker blocks nothing. A multiprocessing queue would stay locked if a process is killed while writing.
    """

    def __init__(self) -> None:
        """Start to pass messages from the pipe to the handlers of this process."""
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
        """Send the messages of this process, a worker, into the pipe."""
        _ROOT.setLevel(self._level)
        _ROOT.addHandler(QueueHandler(self))

    def put_nowait(self, record: logging.LogRecord | None) -> None:
        """Send a record. If the record is None, close the pipe for this process."""
        if record is None:
            self._writer.close()
            return
        # If the parent process was killed, the pipe is broken.
        with self._lock, suppress(BrokenPipeError):
            self._writer.send(record)

    def get(self, block: bool = True) -> logging.LogRecord | None:
        """Wait for a record and return it, or None once all processes have closed the pipe."""
        try:
            record: logging.LogRecord = self._reader.recv()
        except (EOFError, OSError):
            return None
        return record

    def close(self) -> None:
        """Pass on messages until the last worker has ended, and close the pipe."""
        self._listener.stop()
        self._reader.close()


_log = logging.getLogger(__name__)

#: The number of nodes in a slice of a question: one or two seconds of work.
SLICE_NODES = 4_000_000


class WorkerKernel:
    """A worker's kernel, and the expensive results of its searches.

    kernel: a kernel that uses the workers' shared table.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._kept: list[tuple[Position, Answer]] = []

    def decide(self, position: Position, game: Variant) -> Answer:
        """Search without a node limit until it is decided who wins the game."""
        while True:
            answer = self.kernel.decide(position, game.least)
            if game.winner(answer) is not None:
                return answer
            # The search stopped because its list of expensive results was full.
            self._kept += self.kernel.take_kept()

    def take_kept(self) -> list[tuple[Position, Answer]]:
        """Return and remove the expensive results since the last call, like Kernel.take_kept()."""
        kept, self._kept = self._kept + self.kernel.take_kept(), []
        return kept


class Job(ABC):
    """A piece of work that is sent to a worker, which may be on another machine, and returned with its result."""

    @abstractmethod
    def do(self, worker: WorkerKernel) -> Any:
        """Return the job's result."""

    def claims(self, result: Any) -> list[tuple[Position, Answer]]:
        """Return the positions of a result, each with the answer that the result claims.

        If ``result`` is not a result of this job, an exception of any type is raised. Every job that may be sent to
        another machine must define this method.
        """
        raise NotImplementedError

    @abstractmethod
    def describe(self, result: Any) -> str:
        """Return a line for the log about the job and its result."""


@dataclass(frozen=True)
class QuestionJob(Job):
    """A slice of work, about ``node_limit`` nodes, on the question whether the value is ``threshold`` or more."""

    position: Position
    threshold: int
    node_limit: int

    def do(self, worker: WorkerKernel) -> Answer:
        """Return the answer, which may leave the question open."""
        return worker.kernel.decide(self.position, self.threshold, node_limit=self.node_limit)

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

    result: the return value of the job's do(). kept: the most expensive intermediate results, which have an upper or a
    lower bound. nodes: the number of nodes that the worker's kernel searched. seconds: the wall-clock time. peak_mib:
    the worker's peak memory in MiB, the shared table included. maker: in a cluster, the worker's number in the store,
    which ResultCheck sets.
    """

    job: Job
    result: Any
    kept: list[tuple[Position, Answer]]
    nodes: int
    seconds: float
    peak_mib: int
    maker: int | None = None

    def facts(self, own: Sequence[Fact] = ()) -> list[Fact]:
        """Return the facts to store: ``own``, the job's own results, and then the expensive intermediate results.

        If a position is in both lists, only its first fact contains the number of nodes.
        """
        counted = {canonical_key(each.position) for each in own}
        kept = [Fact(position, *answer, maker=self.maker, origin=SEARCH) for position, answer in self.kept]
        return [*own, *(replace(each, nodes=0) if canonical_key(each.position) in counted else each for each in kept)]


#: ``_thread.worker`` is the WorkerKernel of the current thread.
_thread = threading.local()


def start_process(shared: Shared, keep_nodes: int, seed: int, log_pipe: LogPipe | None) -> None:
    """Make this process a worker. log_pipe: the pipe for log messages, or None if the process inherited the log."""
    if log_pipe is not None:
        log_pipe.connect()
    start_thread(shared, keep_nodes, seed)


def start_thread(shared: Shared, keep_nodes: int, seed: int) -> Kernel:
    """Make this thread a worker, and return its kernel."""
    _thread.worker = WorkerKernel(Kernel(shared.table, busy=shared.busy, keep_nodes=keep_nodes, seed=seed))
    kernel: Kernel = _thread.worker.kernel
    return kernel


def work(job: Job) -> JobResult:
    """Do a job with the kernel of this thread."""
    worker: WorkerKernel | None = getattr(_thread, "worker", None)
    if worker is None:
        raise RuntimeError("work() before start_process() or start_thread()")
    return do_job(job, worker)


def do_job(job: Job, worker: WorkerKernel) -> JobResult:
    """Do a job with the given kernel, and write a line about it to the log."""
    kernel = worker.kernel
    started, before = time.perf_counter(), kernel.nodes
    result = job.do(worker)
    seconds = time.perf_counter() - started
    job_result = JobResult(job, result, worker.take_kept(), kernel.nodes - before, seconds, peak_memory() >> 20)
    _log.debug("%s, %d nodes, %d kept, %.2f s", job.describe(result), job_result.nodes, len(job_result.kept), seconds)
    return job_result
