"""A scheduler on this machine, in this process, and none."""

import pytest

distributed = pytest.importorskip("distributed", reason="no dask.distributed here: `pip install little-go[cluster]`")

from crew.scheduler import SchedulerError, connect, leave  # noqa: E402


def test_the_scheduler_at_the_address_is_found_and_left() -> None:
    with distributed.LocalCluster(
        n_workers=0, processes=False, host="127.0.0.1", protocol="tcp://", dashboard_address=":0"
    ) as cluster:
        client = connect(cluster.scheduler_address)
        assert client.scheduler_info()["address"] == cluster.scheduler_address
        leave(client)
        assert client.status == "closed"


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
