"""What runs inside a worker process: one kernel on the shared memory, one job at a time."""

import logging
import os
import resource
import signal
import threading
import time
from dataclasses import dataclass

from generator.memory import Shared
from solver.answer import Answer
from solver.kernel import Kernel
from solver.position import Position, move_name

_log = logging.getLogger(__name__)

#: This process's kernel; made by start_worker().
_kernel: Kernel | None = None

#: Seconds between looks at whether the parent is still there.
_PARENT_CHECK = 1.0


@dataclass(frozen=True)
class Job:
    """A slice of work on a question: does the value reach ``threshold``? For about ``node_limit`` nodes."""

    position: Position
    threshold: int
    node_limit: int


@dataclass(frozen=True)
class Finding:
    """What a slice brought.

    answer: about the job's question, which it may leave open.
    kept: the results on the way that cost most, with one-sided bounds.
    seconds: on the clock.
    peak_mib: the most memory the worker has had, the shared table included.
    """

    job: Job
    answer: Answer
    kept: list[tuple[Position, Answer]]
    seconds: float
    peak_mib: int


def start_worker(shared: Shared, keep_nodes: int, seed: int) -> None:
    """Make this process a worker: deaf to Ctrl-C, gone when its parent is."""
    global _kernel
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    _kernel = Kernel(shared.table, busy=shared.busy, keep_nodes=keep_nodes, seed=seed)


def _follow(parent: int) -> None:
    # A parent killed with -9 closes nothing: its workers would wait for jobs for ever.
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK)
    os._exit(1)


def work(job: Job) -> Finding:
    """Do a job with this process's kernel."""
    if _kernel is None:
        raise RuntimeError("work() before start_worker()")
    started = time.perf_counter()
    answer = _kernel.decide(job.position, job.threshold, node_limit=job.node_limit)
    seconds = time.perf_counter() - started
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    finding = Finding(job, answer, _kernel.take_kept(), seconds, peak_mib)
    _log.debug("%s", _describe(finding))
    return finding


def _describe(finding: Finding) -> str:
    answer = finding.answer
    best = "none" if answer.best is None else move_name(answer.best)
    return (
        f"ply {finding.job.position.ply}, at least {finding.job.threshold:+d}? {answer.lo:+d} to {answer.hi:+d}, "
        f"best {best}, {answer.nodes} nodes, {len(finding.kept)} kept, {finding.seconds:.2f} s"
    )
