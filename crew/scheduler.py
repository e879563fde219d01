"""Workers of other machines, by dask.distributed: find their scheduler, make each ready, and leave quietly.

A worker's context, a plugin, holds what it needs for its jobs. It travels to all workers, also to later ones.
"""

import logging
import time
from abc import abstractmethod
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, ClassVar

import distributed as dask
from distributed import Client, KilledWorker, Worker, WorkerPlugin, get_worker
from distributed.comm.addressing import get_address_host_port
from distributed.comm.core import CommClosedError

#: Seconds to look for a scheduler.
CONNECT = 10.0

#: Seconds between two counts of the workers.
_LOOK = 1.0

#: dask's exceptions for a job whose worker or scheduler is gone.
LOST = (CancelledError, KilledWorker, CommClosedError)

#: Its exceptions for other requests meanwhile.
UNREACHED = (OSError, TimeoutError, CommClosedError)


class SchedulerError(RuntimeError):
    """A scheduler that cannot be reached; the message is one line."""


class WorkerContext(WorkerPlugin):
    """A worker's context for its jobs.

    name: of its kind. error: raised by a job that cannot be done; its message is one line.
    """

    name: ClassVar[str]
    error: ClassVar[type[Exception]]

    def setup(self, worker: Worker) -> None:
        """Make a worker ready. An obstacle is noted, because dask does not report it."""
        self.fault = self.prepare(worker)

    @abstractmethod
    def prepare(self, worker: Worker) -> str:
        """Make a worker ready, and return the obstacle or ""."""

    @abstractmethod
    def do(self, job: Any) -> Any:
        """Do a job."""


def context_of(worker: Worker, name: str) -> Any:
    """Return a worker's context of a kind."""
    return worker.plugins[name]


def _do(name: str, job: Any) -> Any:
    """Do a job in a worker; raises its context's error, because others may not be picklable, and never arrive."""
    place: WorkerContext = context_of(get_worker(), name)
    if place.fault:
        raise place.error(place.fault)
    try:
        return place.do(job)
    except place.error:
        raise
    except Exception as error:
        raise place.error(f"a worker cannot do its jobs: {error!r}") from None


def _fault(name: str, dask_worker: Worker) -> str:
    return str(context_of(dask_worker, name).fault)


class Cluster:
    """The workers of a scheduler, as many as there are at the time. Public attribute: ``client``, dask's."""

    def __init__(self, address: str, place: WorkerContext, patience: float = CONNECT) -> None:
        """Connect, and make all workers ready, also later ones.

        address: such as tcp://192.0.2.1:8786. patience: seconds to look for the scheduler. Raises the context's error
            when there is none, or when a worker cannot be made ready.
        """
        self._name = place.name
        try:
            self.client = connect(address, patience)
        except SchedulerError as error:
            raise place.error(str(error)) from None
        # The code that takes a result reports, in one line, that it cannot be read.
        logging.getLogger("distributed.protocol").setLevel(logging.CRITICAL + 1)
        self._looked, self._threads = 0.0, 0
        self.client.register_plugin(place)
        faults = [fault for fault in self.client.run(_fault, place.name, on_error="ignore").values() if fault]
        if faults:
            self.leave()
            raise place.error(faults[0])

    @property
    def threads(self) -> int:
        """The number of threads of all workers together."""
        if time.monotonic() - self._looked > _LOOK:
            self._looked = time.monotonic()
            with suppress(*UNREACHED):
                self._threads = sum(self.client.nthreads().values())
        return self._threads

    @property
    def slots(self) -> int:
        """The number of jobs that keep the threads busy: more than threads, so that the next job is queued already."""
        return self.threads + (self.threads + 3) // 4

    def submit(self, job: Any, key: str, **given: Any) -> Any:
        """Return dask's future of a job. given: the workers that may do it. Raises RuntimeError, OSError."""
        return self.client.submit(_do, self._name, job, key=key, pure=False, **given)

    def leave(self) -> None:
        """Leave the scheduler; its workers finish their current jobs, whose results are lost."""
        leave(self.client)


def connect(address: str, patience: float = CONNECT) -> Any:
    """Return a client of a scheduler.

    address: such as tcp://192.0.2.1:8786. patience: seconds to look for it. Raises SchedulerError.
    """
    deadline = time.monotonic() + patience
    try:
        get_address_host_port(address, strict=True)
    except ValueError as error:
        raise SchedulerError(
            f"{address} is not a scheduler's address: give one such as tcp://192.0.2.1:8786 ({error})"
        ) from None
    security: Any = dask.Security
    if address.startswith("tls:") and security().get_connection_args("client").get("ssl_context") is None:
        raise SchedulerError(f"{address} needs certificates: name them in dask's configuration, distributed.comm.tls")
    while True:
        try:
            return Client(address, timeout=min(patience, CONNECT), set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError):
            if time.monotonic() >= deadline:
                if address.startswith("tls:"):
                    raise SchedulerError(
                        f"no scheduler answers at {address} by TLS: it may speak tcp://, or ask for other certificates"
                        " than dask's configuration names (distributed.comm.tls)"
                    ) from None
                raise SchedulerError(
                    f"no scheduler answers at {address}; start one with `dask scheduler`, workers with"
                    f" `dask worker {address} --memory-limit 0`, and then the same command again"
                ) from None


def leave(client: Any) -> None:
    """Close a client; its workers finish their current jobs, whose results are lost."""
    # Closed connections are expected here.
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    with suppress(OSError, TimeoutError):
        client.close(timeout=5)
