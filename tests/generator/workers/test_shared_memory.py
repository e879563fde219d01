"""The memory that workers share."""

import os
import pickle
import sys
from pathlib import Path

import pytest

from little_go.crew.workers import START_VARIABLE, WorkerPool, serve_parent
from little_go.generator.workers.shared_memory import Shared, open_files, open_shared
from little_go.solver.native.kernel import BUSY_BYTES
from little_go.solver.native.table import HEADER_BYTES, TableError

#: The shared memory of the current worker.
_memory: Shared | None = None


def start(shared: Shared) -> None:
    global _memory
    serve_parent()
    _memory = shared


def write(at: int) -> int:
    """Write into this worker's memory."""
    assert _memory is not None
    _memory.table[at], _memory.busy[at] = 5, 6
    return len(_memory.table)


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("name", [None, "table"])
def test_what_a_process_writes_is_seen_by_the_others(
    method: str, name: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(START_VARIABLE, method)
    monkeypatch.chdir(tmp_path)
    path = None if name is None else Path(name)
    with open_shared(16, path, "store", processes=True) as shared:
        assert memoryview(shared.table).nbytes == 16 << 20
        assert memoryview(shared.busy).nbytes == BUSY_BYTES
        assert not any(memoryview(shared.table).cast("B"))
        with WorkerPool(1, start, shared) as pool:
            assert pool.submit(write, 7).result() == 16 << 20
        assert (shared.table[7], shared.busy[7]) == (5, 6)
    assert path is None or path.read_bytes()[HEADER_BYTES + 7] == 5


def test_a_fork_sees_no_memory_of_threads() -> None:
    shared = Shared.make(16)
    child = os.fork()
    if not child:
        shared.table[7] = 5
        os._exit(0)
    os.waitpid(child, 0)
    assert shared.table[7] == 0


def test_a_file_in_the_place_of_the_table_s_is_not_taken(tmp_path: Path) -> None:
    with open_shared(16, tmp_path / "table", "store", processes=True) as shared:
        sent = pickle.dumps(shared.table)
        assert pickle.loads(sent)[:8] == bytes(8)
        content = (tmp_path / "table").read_bytes()
        (tmp_path / "table").rename(tmp_path / "moved")
        (tmp_path / "table").write_bytes(content)
        with pytest.raises(TableError, match=r"table: replaced by another file during the run: start the run again$"):
            pickle.loads(sent)


def test_a_process_that_has_ended_has_no_open_files(tmp_path: Path) -> None:
    here = Path(f"/proc/{os.getpid()}")
    with (tmp_path / "open").open("w"):
        assert str(tmp_path / "open") in {os.path.realpath(link) for link in open_files(here)}
    # A process can end between the listing of its folder and the reading.
    assert open_files(here.with_name("0")) == []


@pytest.mark.skipif(sys.platform != "linux", reason="machines of a cluster need Linux")
def test_workers_of_a_machine_share_one_table_for_each_store() -> None:
    one, two, other = (Shared.of_machine(16, store) for store in ("a store", "a store", "another"))
    one.table[HEADER_BYTES + 7] = 5
    assert (two.table[HEADER_BYTES + 7], other.table[HEADER_BYTES + 7]) == (5, 0)
    with pytest.raises(ValueError, match="does not fit into the free memory"):
        Shared.of_machine(1 << 30, "a store")
