"""The start and the end of a run that searches, with its store, table, workers, log and limits."""

import logging
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from little_go.book.store.facts import Choice, Fact
from little_go.book.store.store import BUDGET_SPENT, COMPLETE, FAILED, INTERRUPTED, Store, open_store
from little_go.generator.workers.search_crew import Crew, CrewError, Pool, ProcessPool, Stopped, ThreadPool
from little_go.generator.workers.shared_memory import Shared, open_shared, teach
from little_go.generator.workers.worker import Job, JobResult, log_to_file
from little_go.runtime.release import requirement
from little_go.solver.family import Variant

if TYPE_CHECKING:
    from little_go.generator.workers.checking import Check

_log = logging.getLogger("little_go.generator")


@dataclass(frozen=True)
class Settings:
    """The options of every command that searches.

    budget: seconds until the run stops, or None for no limit. log: the log file, or None for a file with the store's
    name and the suffix .log. scheduler: the address of a cluster's scheduler, or None to search on this machine.
    recheck: the share of a cluster's claims to search again, 0 to 1. game: the game of the store.
    """

    db: Path
    workers: int
    budget: float | None
    table_mib: int
    table_file: Path | None
    keep_nodes: int
    seed: int
    log: Path | None
    scheduler: str | None = None
    recheck: float = 0.0
    game: Variant = field(kw_only=True)

    def record(self) -> dict[str, Any]:
        """Return the options that influence a run's results, by name, to be stored with the run."""
        names = ("workers", "budget", "table_mib", "keep_nodes", "seed", "scheduler", "recheck")
        return {name: getattr(self, name) for name in names}


@dataclass
class SearchRun:
    """The store, the workers and the counts of a search.

    run_id: the run's number in the store. shared: the table that the crew searches on; None if each machine of a
    cluster has its own. stop: a function that returns whether to stop now. outcome, counts: the way in which the run
    ended, and the number of the store's positions by status; both are set at the end. signals: the numbers of the
    signals received so far. The last signal may arrive after the work is complete.
    """

    store: Store
    crew: Crew
    run_id: int
    shared: Shared | None
    stop: Callable[[], bool] = lambda: False
    outcome: str = FAILED
    counts: dict[str, int] = field(default_factory=dict)
    signals: Sequence[int] = ()

    def each(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        """Do all jobs like Crew.each(), with enough jobs in flight to keep the workers busy."""
        return self.crew.each(jobs, self.stop)

    def record(self, facts: Iterable[Fact]) -> int:
        """Store facts as results of this run, and return the result of Store.record()."""
        return self.store.record(facts, self.run_id)

    def choose(self, choices: Iterable[Choice]) -> None:
        """Store choices of moves as results of this run."""
        self.store.choose(choices, self.run_id)


@contextmanager
def open_run(settings: Settings, parameters: dict[str, Any], *, processes: bool = False) -> Iterator[SearchRun]:
    """Open the store, the table and the crew, and record the start and the outcome of the run.

    parameters: the values to store with the settings. processes: whether to use processes instead of threads, because
    the jobs run Python code. Stopped and KeyboardInterrupt are caught here and set the outcome. Raise CrewError if the
    cluster cannot be reached.
    """
    deadline = None if settings.budget is None else time.monotonic() + settings.budget
    with ExitStack() as stack:
        store = stack.enter_context(open_store(settings.db, write=True, game=settings.game))
        shared = None
        if settings.scheduler is None:
            table = open_shared(settings.table_mib, settings.table_file, store.identity, processes=processes)
            shared = stack.enter_context(table)
        stack.enter_context(log_to_file(settings.log or settings.db.with_suffix(".log"), processes))
        hurried: list[Callable[[], None]] = []
        interrupted = stack.enter_context(flag_on_signals(hurried))
        believed = teach(store, shared)
        make_pool, check = _pool_maker(settings, store, shared, processes)
        crew = Crew(make_pool)
        stack.callback(crew.close)
        hurried.append(lambda: crew.pool.stop())
        run_id = store.start_run({**settings.record(), **parameters})
        store.note_believed(run_id, believed)
        if check is not None:
            check.run = run_id
            check.sample()
            stack.callback(check.close)
        _log.info("run %d starts: %s, %s", run_id, settings, parameters)
        stop = lambda: bool(interrupted) or (deadline is not None and time.monotonic() >= deadline)  # noqa: E731
        search_run = SearchRun(store, crew, run_id, shared, stop, signals=interrupted)
        try:
            try:
                yield search_run
                ending = COMPLETE
            except Stopped:
                ending = INTERRUPTED if interrupted else BUDGET_SPENT
            crew.pool.settle(hurried=ending == INTERRUPTED)
            search_run.outcome = ending
        except KeyboardInterrupt:
            search_run.outcome = INTERRUPTED
        finally:
            store.end_run(run_id, search_run.outcome, nodes=crew.nodes, peak_mib=crew.peak_mib)
            _log.info("run %d ends: %s", run_id, search_run.outcome)
        search_run.counts = store.count_by_status()


def _pool_maker(
    settings: Settings, store: Store, shared: Shared | None, processes: bool
) -> "tuple[Callable[[], Pool], Check | None]":
    """Return a function that makes the crew's pool, and the check of a cluster's results (None without a cluster)."""
    if shared is not None:
        pool: Callable[..., Pool] = ProcessPool if processes else ThreadPool
        return partial(pool, settings.workers, shared, settings.keep_nodes, settings.seed), None
    # A run on one machine does not need dask, whose import takes time.
    try:
        from little_go.generator.workers.checking import Check
        from little_go.generator.workers.cluster import ClusterPoolFactory, fingerprint
    except ModuleNotFoundError as error:
        if error.name != "distributed":
            raise
        install = shlex.join([sys.executable, "-m", "pip", "install", requirement("distributed")])
        raise CrewError(f"--scheduler needs dask.distributed: {install}") from None
    check = Check(store, settings.recheck, settings.workers, fingerprint())
    make_pool = ClusterPoolFactory(
        str(settings.scheduler), store, check, settings.table_mib, settings.keep_nodes, settings.seed
    )
    return make_pool, check


@contextmanager
def flag_on_signals(hurried: Sequence[Callable[[], None]]) -> Iterator[list[int]]:
    """Yield a list to which each SIGINT, SIGTERM and SIGHUP adds its number.

    hurried: functions that are called at the second signal, before KeyboardInterrupt is raised.
    """
    seen: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        if len(seen) > 1:
            for hurry in hurried:
                hurry()
            raise KeyboardInterrupt
        # The terminal may have been closed.
        with suppress(OSError):
            print("stopping after the current jobs; a second signal stops at once", file=sys.stderr)

    # Windows has no SIGHUP.
    ends = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32":
        ends.append(signal.SIGHUP)
    # A program that nohup started ignores SIGHUP, and must continue to ignore it.
    old = {number: signal.signal(number, note) for number in ends if signal.getsignal(number) != signal.SIG_IGN}
    try:
        yield seen
    finally:
        # After a first Ctrl-C, the command only has to print its last lines, which a second Ctrl-C must not cut.
        late = {signal.SIGINT: signal.SIG_IGN} if seen and signal.SIGINT in old else {}
        for number, handler in {**old, **late}.items():
            signal.signal(number, handler)
