"""Workers on other machines, by dask.distributed: find their scheduler, make each worker ready, and leave quietly.

A worker's context is a plugin with everything that the jobs need. It is sent to all workers, including later ones.
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

#: dask's exceptions for a job whose worker or scheduler is lost.
LOST = (CancelledError, KilledWorker, CommClosedError)

#: dask's exceptions for other requests to a lost scheduler.
UNREACHED = (OSError, TimeoutError, CommClosedError)


class SchedulerError(RuntimeError):
    """Raised if a scheduler cannot be reached; the message is one line."""


class WorkerContext(WorkerPlugin):
    """The data that a worker needs for its jobs.

    name: the name of this kind of context. error: the exception that a failed job raises, with a message of one line.
    """

    name: ClassVar[str]
    error: ClassVar[type[Exception]]

    def setup(self, worker: Worker) -> None:
        """Make a worker ready, and store the obstacle if there is one, because dask does not report it."""
        self.fault = self.prepare(worker)

    @abstractmethod
    def prepare(self, worker: Worker) -> str:
        """Make a worker ready; return the obstacle, or "" if there is none."""

    @abstractmethod
    def do(self, job: Any) -> Any:
        """Do a job."""


def context_of(worker: Worker, name: str) -> Any:
    """Return a worker's context of the kind ``name``."""
    return worker.plugins[name]


def _do(name: str, job: Any) -> Any:
    """Do a job in a worker; raises only the context's error, because another exception may not be picklable."""
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
    """The workers of a scheduler; their number may change at any time. Public attribute: ``client``, dask's client."""

    def __init__(self, address: str, place: WorkerContext, patience: float = CONNECT) -> None:
        """Connect, and make all workers ready, including workers that join later.

        address: such as tcp://192.0.2.1:8786. patience: seconds to look for the scheduler. Raises the context's error
            if no scheduler answers or a worker cannot be made ready.
        """
        self._name = place.name
        try:
            self.client = connect(address, patience)
        except SchedulerError as error:
            raise place.error(str(error)) from None
        # The caller reports an unreadable result in one line, so dask need not log it.
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
        """The number of jobs that keep the threads busy, which is a quarter more than the number of threads."""
        return self.threads + (self.threads + 3) // 4

    def submit(self, job: Any, key: str, **given: Any) -> Any:
        """Return dask's future of a job. given: options of dask, such as ``workers``. Raises RuntimeError, OSError."""
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
        raise SchedulerError(f"{address} needs certificates: set them in dask's configuration, distributed.comm.tls")
    while True:
        try:
            return Client(address, timeout=min(patience, CONNECT), set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError):
            if time.monotonic() >= deadline:
                if address.startswith("tls:"):
                    raise SchedulerError(
                        f"no scheduler answers at {address} by TLS: try tcp://, or the certificates of the scheduler in"
                        " dask's configuration (distributed.comm.tls)"
                    ) from None
                raise SchedulerError(
                    f"no scheduler answers at {address}; start one with `dask scheduler`, workers with"
                    f" `dask worker {address} --memory-limit 0`, and then the same command again"
                ) from None


def leave(client: Any) -> None:
    """Close a client; its workers finish their current jobs, whose results are lost."""
    # dask would log the closed connections, which are expected here.
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    with suppress(OSError, TimeoutError):
        client.close(timeout=5)
