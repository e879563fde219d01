"""A search's surroundings, from its start to its end: the store, the workers, one log, and when to stop."""

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

from book.store.store import BUDGET_SPENT, COMPLETE, FAILED, INTERRUPTED, Store, open_store
from generator.workers.search_crew import Crew, CrewError, Pool, ProcessPool, Stopped, ThreadPool
from generator.workers.shared_memory import Shared, open_shared, teach
from generator.workers.worker import Job, JobResult, one_log
from runtime.release import requirement
from solver.family import Variant

if TYPE_CHECKING:
    from generator.workers.checking import Check

_log = logging.getLogger("generator")


@dataclass(frozen=True)
class Settings:
    """The options that all commands that search have in common.

    budget: seconds to stop after, or None. log: the store's name with .log when None. scheduler: the address of a
    cluster's, whose workers take the place of this machine's. recheck: the share of what those send to search again.
    game: whose store it is.
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
        """Return those that tell how a run came to its results."""
        names = ("workers", "budget", "table_mib", "keep_nodes", "seed", "scheduler", "recheck")
        return {name: getattr(self, name) for name in names}


@dataclass
class SearchRun:
    """The store, the workers and the counts of a search.

    run: the run's number in the store. shared: the table that the crew searches on, or None when it is elsewhere.
    stop: whether to stop now.
    outcome, counts: at the end, how the run ended, and the store's positions by status. signals: Ctrl-C and others that
    have come; the last of them may come when all is done.
    """

    store: Store
    crew: Crew
    run: int
    shared: Shared | None
    stop: Callable[[], bool] = lambda: False
    outcome: str = FAILED
    counts: dict[str, int] = field(default_factory=dict)
    signals: Sequence[int] = ()

    def each(self, jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        """Have all jobs done, enough at a time to keep the workers busy; as Crew.each()."""
        return self.crew.each(jobs, self.stop)


@contextmanager
def open_run(settings: Settings, parameters: dict[str, Any], *, processes: bool = False) -> Iterator[SearchRun]:
    """Set up store, table and crew, record the run, and end it in good order whatever happens.

    parameters: what to record besides the settings. Stopped and Ctrl-C end here; the outcome tells of them.
    processes: whether the crew is to be of processes instead of threads, for jobs that run Python.
    Raises as open_store() and open_shared() do, and CrewError without the cluster asked for.
    """
    deadline = None if settings.budget is None else time.monotonic() + settings.budget
    with ExitStack() as stack:
        store = stack.enter_context(open_store(settings.db, write=True, game=settings.game))
        shared = None
        if settings.scheduler is None:
            table = open_shared(settings.table_mib, settings.table_file, store.identity, processes=processes)
            shared = stack.enter_context(table)
        stack.enter_context(one_log(settings.log or settings.db.with_suffix(".log"), processes))
        hurried: list[Callable[[], None]] = []
        interrupted = stack.enter_context(flag_on_signals(hurried))
        believed = teach(store, shared)
        hire, check = _hiring(settings, store, shared, processes)
        crew = Crew(hire)
        stack.callback(crew.close)
        hurried.append(lambda: crew.pool.stop())
        run = store.start_run({**settings.record(), **parameters})
        store.note_believed(run, believed)
        if check is not None:
            check.run = run
            check.sample()
            stack.callback(check.close)
        _log.info("run %d starts: %s, %s", run, settings, parameters)
        stop = lambda: bool(interrupted) or (deadline is not None and time.monotonic() >= deadline)  # noqa: E731
        shop = SearchRun(store, crew, run, shared, stop, signals=interrupted)
        try:
            try:
                yield shop
                ending = COMPLETE
            except Stopped:
                ending = INTERRUPTED if interrupted else BUDGET_SPENT
            crew.pool.settle(hurried=ending == INTERRUPTED)
            shop.outcome = ending
        except KeyboardInterrupt:
            shop.outcome = INTERRUPTED
        finally:
            store.end_run(run, shop.outcome, nodes=crew.nodes, peak_mib=crew.peak_mib)
            _log.info("run %d ends: %s", run, shop.outcome)
        shop.counts = store.count_by_status()


def _hiring(
    settings: Settings, store: Store, shared: Shared | None, processes: bool
) -> "tuple[Callable[[], Pool], Check | None]":
    """Return a function that makes the crew's pool, and for a cluster the check of what its workers send."""
    if shared is not None:
        pool: Callable[..., Pool] = ProcessPool if processes else ThreadPool
        return partial(pool, settings.workers, shared, settings.keep_nodes, settings.seed), None
    # One machine needs no dask, and should not wait for it.
    try:
        from generator.workers.checking import Check
        from generator.workers.cluster import ClusterPoolFactory, fingerprint
    except ModuleNotFoundError as error:
        if error.name != "distributed":
            raise
        install = shlex.join([sys.executable, "-m", "pip", "install", requirement("distributed")])
        raise CrewError(f"--scheduler needs dask.distributed: {install}") from None
    check = Check(store, settings.recheck, settings.workers, fingerprint())
    hire = ClusterPoolFactory(
        str(settings.scheduler), store, check, settings.table_mib, settings.keep_nodes, settings.seed
    )
    return hire, check


@contextmanager
def flag_on_signals(hurried: Sequence[Callable[[], None]]) -> Iterator[list[int]]:
    """Give a list that Ctrl-C, a polite kill or a closed terminal fills.

    A second one hurries the workers and raises KeyboardInterrupt.
    """
    seen: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        if len(seen) > 1:
            for hurry in hurried:
                hurry()
            raise KeyboardInterrupt
        # The terminal may be gone.
        with suppress(OSError):
            print("stopping when the current jobs are done; once more stops at once", file=sys.stderr)

    # Windows closes a terminal by another way.
    ends = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32":
        ends.append(signal.SIGHUP)
    # nohup has the last one ignored.
    old = {number: signal.signal(number, note) for number in ends if signal.getsignal(number) != signal.SIG_IGN}
    try:
        yield seen
    finally:
        # The command has only its last lines to print: a second Ctrl-C that comes late has nothing to end.
        late = {signal.SIGINT: signal.SIG_IGN} if seen and signal.SIGINT in old else {}
        for number, handler in {**old, **late}.items():
            signal.signal(number, handler)
