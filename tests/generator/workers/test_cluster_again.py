"""After the connection to a scheduler is lost, the run tries to connect again; the test needs no cluster."""

from pathlib import Path

import pytest

from little_go.book.store.store import open_store
from little_go.crew.scheduler import CONNECT
from little_go.generator.workers import cluster
from little_go.generator.workers.checking import Check
from little_go.generator.workers.cluster import RECONNECT, ClusterPoolFactory, WorkerSettings
from little_go.solver.family import COURSE
from tests.book.positions import make_store


def test_a_scheduler_that_is_gone_a_moment_after_its_answer_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[float] = []

    class Pool:
        def __init__(self, address: str, order: WorkerSettings, check: Check | None, patience: float) -> None:
            asked.append(patience)
            if len(asked) == 1:
                raise OSError("it is gone")

    monkeypatch.setattr(cluster, "ClusterPool", Pool)
    with open_store(make_store(tmp_path / "a.db"), game=COURSE) as store:
        make = ClusterPoolFactory("tcp://192.0.2.1:8786", store, None, 16, 0, 0)  # type: ignore[arg-type]
        assert isinstance(make(), Pool)
        assert capsys.readouterr().err == ""
        assert isinstance(make(), Pool)
    assert asked == [CONNECT, CONNECT, RECONNECT]
    assert "tcp://192.0.2.1:8786 does not answer: trying again" in capsys.readouterr().err
