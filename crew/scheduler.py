"""Use workers on other machines by dask.distributed: connect to their scheduler, and prepare each worker for its jobs.

The context of a worker is a plugin that contains everything that the jobs need. The plugin is sent to all workers,
including workers that join later.
"""

import logging
import time
from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any, ClassVar

import distributed as dask
from distributed import Client, KilledWorker, Worker, WorkerPlugin, get_worker
from distributed.comm.addressing import get_address_host_port
from distributed.comm.core import CommClosedError

#: The number of seconds for which connect() tries to reach a scheduler.
CONNECT = 10.0

#: The number of seconds between two counts of the workers.
_LOOK = 1.0

#: The exceptions of dask for a job whose worker or scheduler is lost.
LOST = (CancelledError, KilledWorker, CommClosedError)

#: The exceptions of dask for other requests to a lost scheduler.
UNREACHED = (OSError, TimeoutError, CommClosedError)


class SchedulerError(RuntimeError):
    """Raised if a scheduler cannot be reached. The message is one line."""


class WorkerContext(WorkerPlugin):
    """The data that a worker needs for its jobs.

    - ``name``: the name of this kind of context.
    - ``error``: the exception that a failed job raises, with a message of one line.
    """

    name: ClassVar[str]
    error: ClassVar[type[Exception]]

    def setup(self, worker: Worker) -> None:
        """Prepare a worker for its jobs, and store the reason of a failure, which dask does not report."""
        self.fault = self.prepare(worker)

    @abstractmethod
    def prepare(self, worker: Worker) -> str:
        """Prepare a worker for its jobs. Return the reason if the preparation fails, and otherwise an empty text."""

    @abstractmethod
    def do(self, job: Any) -> Any:
        """Do a job, and return its result."""


def context_of(worker: Worker, name: str) -> Any:
    """Return the context of a worker that has this name."""
    return worker.plugins[name]


def _do(name: str, job: Any) -> Any:
    """Do a job in a worker. All exceptions become the exception of the context, because other ones may not be
    picklable.
    """
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


class _Client:
    """The methods of dask's client. If the client is closed, because its scheduler is lost, they raise CommClosedError.

    A closed client of dask raises exceptions of other types, such as AttributeError.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)

        def call(*given: Any, **options: Any) -> Any:
            try:
                return method(*given, **options)
            except (*LOST, *UNREACHED):
                raise
            except Exception:
                if self._client.status in ("closing", "closed"):
                    raise CommClosedError("the connection is closed") from None
                raise

        return call


class Cluster:
    """The workers of a scheduler, whose number may change at any time.

    The public attribute ``client`` has the methods of dask's client.
    """

    def __init__(self, address: str, place: WorkerContext, patience: float = CONNECT) -> None:
        """Connect to a scheduler, and prepare all workers, including workers that join later.

        The scheduler has an address such as tcp://192.0.2.1:8786, and must answer within ``patience`` seconds. Raise
        the exception of the context if no scheduler answers, or if a worker cannot be prepared.
        """
        self._name = place.name
        try:
            self.client: Any = _Client(connect(address, patience))
        except SchedulerError as error:
            raise place.error(str(error)) from None
        # The caller reports an unreadable result in one line, so dask does not need to log the result.
        logging.getLogger("distributed.protocol").setLevel(logging.CRITICAL + 1)
        self._looked, self._threads = float("-inf"), 0
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
        """The number of jobs that keep the threads busy, which is a quarter larger than the number of threads."""
        return self.threads + (self.threads + 3) // 4

    def submit(self, job: Any, key: str, **given: Any) -> Any:
        """Submit a job with options of dask such as ``workers``, and return dask's future of the job."""
        return self.client.submit(_do, self._name, job, key=key, **given)

    def leave(self) -> None:
        """Disconnect from the scheduler. Its workers finish their current jobs, but the results are lost."""
        leave(self.client)


def connect(address: str, patience: float = CONNECT) -> Any:
    """Return a client of the scheduler at an address such as tcp://192.0.2.1:8786.

    Raise SchedulerError if the address is invalid, or if no scheduler answers within ``patience`` seconds.
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
    """Close a client. The workers finish their current jobs, but the results are lost."""
    # Disable the loggers of dask, which would log the closed connections. Closed connections are expected here.
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    with suppress(OSError, TimeoutError):
        client.close(timeout=5)
