"""A scheduler on this machine, in this process, and a missing one."""

import logging
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

distributed = pytest.importorskip("distributed", reason="no dask.distributed here: `pip install little-go[cluster]`")

from little_go.crew.scheduler import (  # noqa: E402
    LOST,
    UNREACHED,
    Cluster,
    SchedulerError,
    WorkerContext,
    _do,
    connect,
    leave,
)


def local_cluster(workers: int = 0) -> Any:
    """Start a scheduler and its workers, which are threads of this process. Return the scheduler."""
    return distributed.LocalCluster(
        n_workers=workers, processes=False, host="127.0.0.1", protocol="tcp://", dashboard_address=":0"
    )


def test_the_scheduler_at_the_address_is_found_and_left() -> None:
    with local_cluster() as cluster:
        client = connect(cluster.scheduler_address)
        assert client.scheduler_info()["address"] == cluster.scheduler_address
        # The client is not the default client of other code in this process.
        with pytest.raises(ValueError, match="No client"):
            distributed.default_client()
        leave(client)
        assert client.status == "closed"


class Place(WorkerContext):
    """A context that needs no preparation."""

    name, error = "a context", OSError

    def prepare(self, worker: Any) -> str:
        return ""

    def do(self, job: Any) -> Any:
        return job


class UnpreparedPlace(Place):
    """A context that no worker can prepare."""

    def prepare(self, worker: Any) -> str:
        return "no sandbox here"


def test_a_worker_that_cannot_be_prepared_ends_the_connection() -> None:
    with local_cluster(workers=1) as local, pytest.raises(OSError, match=r"^no sandbox here$"):
        Cluster(local.scheduler_address, UnpreparedPlace())


def test_an_invalid_address_is_an_error_of_the_context() -> None:
    with pytest.raises(OSError, match="is not a scheduler's address"):
        Cluster("127.0.0.1", Place())


def test_leaving_silences_dask_and_nothing_else() -> None:
    def close(timeout: int) -> None:
        raise TimeoutError

    ours = ("distributed.of.this.test", "tornado", "asyncio")
    others = ("distributedly", "of.distributed")
    for name in (*ours, *others):
        logging.getLogger(name).setLevel(logging.INFO)
    leave(SimpleNamespace(close=close))
    assert not any(logging.getLogger(name).isEnabledFor(logging.ERROR) for name in ours)
    assert all(logging.getLogger(name).isEnabledFor(logging.INFO) for name in others)


@pytest.mark.leaves_open(reason="dask.distributed keeps a thread that pickles a job")
@pytest.mark.parametrize("is_closed", [True, False])
def test_a_closed_client_is_a_lost_scheduler(is_closed: bool) -> None:
    with local_cluster() as local:
        cluster = Cluster(local.scheduler_address, Place())
        done = cluster.submit("a job", "its key")
        requests: list[Callable[[], Any]] = [
            lambda: cluster.submit("a job", "another key"),
            lambda: cluster.client.run(abs, -1, on_error="ignore"),
            cluster.client.nthreads,
            lambda: cluster.client.who_has([done]),
        ]
        if is_closed:
            cluster.leave()
        for request in requests:
            if is_closed:
                with pytest.raises((*LOST, *UNREACHED)):
                    request()
            else:
                request()
        assert cluster.threads == 0
        # If the client is open, a fault of the caller stays what it is.
        with pytest.raises((*LOST, *UNREACHED) if is_closed else TypeError):
            cluster.client.nthreads(no="option")
        cluster.leave()


@pytest.mark.leaves_open(reason="a client of dask.distributed that finds no scheduler keeps its loop")
@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1", "is not a scheduler's address"),
        ("tcp://127.0.0.1:1", "start one with `dask scheduler`"),
        ("tls://127.0.0.1:1", "needs certificates"),
    ],
)
def test_no_scheduler_is_an_error_with_what_helps(address: str, message: str) -> None:
    with pytest.raises(SchedulerError, match=message):
        connect(address, patience=0.1)


@pytest.mark.parametrize(
    ("faults", "told"),
    [
        ([], ""),
        (["", ""], ""),
        (["no sandbox here"], "no sandbox here"),
        (["", "no sandbox here"], "no sandbox here"),
        (["too old", "", "no sandbox here"], "too old"),
    ],
)
def test_the_first_worker_that_cannot_be_made_ready_is_an_error(
    faults: list[str], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {f"tcp://192.0.2.{number}:1": fault for number, fault in enumerate(faults)}
    left: list[str] = []
    client = SimpleNamespace(register_plugin=lambda place: None, run=lambda *_, on_error: found)
    monkeypatch.setattr("little_go.crew.scheduler.connect", lambda *_: client)
    monkeypatch.setattr("little_go.crew.scheduler.leave", lambda client: left.append("left"))
    place: Any = SimpleNamespace(name="a context", error=OSError)
    unreadable = logging.getLogger("distributed.protocol")
    unreadable.setLevel(logging.INFO)
    if told:
        with pytest.raises(OSError, match=f"^{told}$"):
            Cluster("tcp://192.0.2.1:8786", place)
    else:
        Cluster("tcp://192.0.2.1:8786", place)
    assert left == (["left"] if told else [])
    # Dask would log an unreadable result as critical, but the caller reports it.
    assert not unreadable.isEnabledFor(logging.CRITICAL)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([{"a": 2, "b": 2}, {"a": 2}], [(4, 5), (4, 5), (2, 3), (2, 3), (2, 3)]),
        ([{"a": 5}, {"a": 8, "b": 1}, {}], [(5, 7), (5, 7), (9, 12), (9, 12), (0, 0)]),
        ([], [(0, 0)] * 5),
    ],
)
def test_workers_are_counted_again_after_a_second_and_the_last_count_stands_meanwhile(
    counts: list[dict[str, int]], expected: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The clock of a machine begins with 0.
    now, left = [0.0], list(counts)

    def nthreads() -> dict[str, int]:
        if not left:
            raise OSError("the scheduler is gone")
        return left.pop(0)

    client = SimpleNamespace(nthreads=nthreads, register_plugin=lambda place: None, run=lambda *_, on_error: {})
    monkeypatch.setattr("little_go.crew.scheduler.connect", lambda *_: client)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    cluster = Cluster("tcp://192.0.2.1:8786", SimpleNamespace(name="a context"))  # type: ignore[arg-type]
    found = []
    for seconds in (0.0, 1.0, 0.25, 0.5, 2.0):
        now[0] += seconds
        found.append((cluster.threads, cluster.slots))
    assert found == expected
    assert left == []


class Unpicklable(Exception):
    """An exception that a worker cannot send."""

    def __reduce__(self) -> Any:
        raise TypeError("this cannot be pickled")


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (OSError("no space left"), "no space left"),
        (ValueError("a bad job"), r"a worker cannot do its jobs: ValueError\('a bad job'\)"),
        (Unpicklable("x"), r"a worker cannot do its jobs: Unpicklable\('x'\)"),
        (None, ""),
    ],
    ids=["its own", "another", "not to be sent", "none"],
)
@pytest.mark.parametrize("fault", ["", "no sandbox here"])
def test_a_worker_raises_only_the_error_of_its_context(
    raised: Exception | None, told: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []

    def do(job: str) -> str:
        done.append(job)
        if raised:
            raise raised
        return f"{job} done"

    place = SimpleNamespace(fault=fault, error=OSError, do=do)
    monkeypatch.setattr("little_go.crew.scheduler.get_worker", lambda: SimpleNamespace(plugins={"a context": place}))
    if fault or raised:
        with pytest.raises(OSError, match=f"^{fault or told}$") as caught:
            _do("a context", "a job")
        assert caught.type is OSError
    else:
        assert _do("a context", "a job") == "a job done"
    assert done == ([] if fault else ["a job"])
