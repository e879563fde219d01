"""The scheduler of a cluster by dask.distributed: to find it, and to leave it without noise."""

import logging
import time
from contextlib import suppress
from typing import Any

import distributed as dask
from distributed import Client
from distributed.comm.addressing import get_address_host_port

#: Seconds to look for a scheduler.
CONNECT = 10.0


class SchedulerError(RuntimeError):
    """A scheduler that cannot be reached; the message is one line."""


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
    """Close a client; what its workers are at they finish for nobody."""
    # It is no news that the connections are closed.
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    with suppress(OSError, TimeoutError):
        client.close(timeout=5)
