"""The memory of transposition tables."""

import errno
import os
import pickle
import shutil
import signal
from pathlib import Path

import pytest

from little_go.book.store.store import open_store
from little_go.solver.family import COURSE
from little_go.solver.native.table import (
    HEADER_BYTES,
    LEAST_MIB,
    TableError,
    TableFile,
    free_memory,
    open_table,
)

KERNEL = "k" * 64


def sealed(path: Path, *, store: str = "one", kernel: str = KERNEL) -> Path:
    """Write a table file like a run on a store that ends normally."""
    file = TableFile(path, 16, kernel, store)
    file.memory[100:105] = b"stone"
    file.seal()
    return path


def test_table_is_zeroed_and_as_large_as_asked() -> None:
    with open_table(LEAST_MIB) as table:
        assert len(table) == LEAST_MIB << 20
        assert table[:4096] == bytes(4096)


@pytest.mark.parametrize("mib", [-16, 0, 8, 15, 24, 100])
def test_other_sizes_are_refused(mib: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"a table of {mib} MiB: give a power of two, 16 MiB or more$"):
        open_table(mib)
    with pytest.raises(ValueError, match=f"a table of {mib} MiB: give a power of two, 16 MiB or more$"):
        TableFile(tmp_path / "table", mib, KERNEL, "one")
    assert not (tmp_path / "table").exists()


def test_more_than_the_machine_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 16 << 20 < free_memory() < 1 << 60
    with pytest.raises(ValueError, match=r"^a table of 1.04858e\+06 GiB does not fit: [0-9.]+ GiB of memory are free$"):
        open_table(1 << 30)


def test_a_full_disk_is_seen_before_the_table_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match=r"no room for a table of 0\.03125 GiB") as error:
        TableFile(tmp_path / "table", 32, KERNEL, "one")
    assert (error.value.errno, error.value.filename) == (errno.ENOSPC, str(tmp_path / "table"))
    assert not (tmp_path / "table").exists()


def test_a_sealed_file_keeps_the_table_for_its_store(tmp_path: Path) -> None:
    path = sealed(tmp_path / "table")
    assert path.stat().st_size == HEADER_BYTES + (16 << 20)
    for name in ("table", "elsewhere"):
        file = TableFile(path.rename(tmp_path / name), 16, KERNEL, "one")
        path = tmp_path / name
        assert file.memory[100:105] == b"stone"
        assert file.taken_over is not None
        assert len(file.taken_over["seal"]) == 64
        file.seal()


def test_a_sealed_table_of_another_store_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Anyone can fill a table with false entries and seal it with another key."""
    before = sealed(tmp_path / "table", store="another").read_bytes()
    with pytest.raises(TableError, match="damaged, or made for another store"):
        TableFile(tmp_path / "table", 16, KERNEL, "one")
    assert (tmp_path / "table").read_bytes() == before


def test_a_header_of_ours_on_another_table_is_refused(tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    if not (child := os.fork()):
        TableFile(ours, 16, KERNEL, "one")
        os._exit(0)
    os.waitpid(child, 0)
    (tmp_path / "forged").write_bytes(ours.read_bytes()[:HEADER_BYTES] + b"\xff" * (16 << 20))
    with pytest.raises(TableError, match="on another store, or copied from another place"):
        TableFile(tmp_path / "forged", 16, KERNEL, "one")


def test_what_a_killed_run_left_is_for_the_same_store_only(tmp_path: Path) -> None:
    path = tmp_path / "table"
    if not (child := os.fork()):
        TableFile(path, 16, KERNEL, "one").memory[100:105] = b"stone"
        os._exit(0)
    os.waitpid(child, 0)
    before = path.read_bytes()
    with pytest.raises(
        TableError,
        match=r"left by a killed run on another store, or copied from another place: remove the file",
    ):
        TableFile(path, 16, KERNEL, "two")
    assert path.read_bytes() == before
    file = TableFile(path, 16, KERNEL, "one")
    assert file.taken_over == {"seal": None}
    assert file.memory[100:105] == b"stone"
    file.seal()


@pytest.mark.parametrize("at", [HEADER_BYTES, HEADER_BYTES + 103, -1])
def test_a_forged_table_is_refused_and_left_alone(tmp_path: Path, at: int) -> None:
    data = bytearray(sealed(tmp_path / "table").read_bytes())
    data[at] ^= 1
    (tmp_path / "table").write_bytes(data)
    for store in ("one", "two"):
        with pytest.raises(TableError, match="damaged, or made for another store"):
            TableFile(tmp_path / "table", 16, KERNEL, store)
    assert (tmp_path / "table").read_bytes() == data


def test_a_table_of_an_older_kernel_is_refused_and_left_alone(tmp_path: Path) -> None:
    before = sealed(tmp_path / "table", kernel="o" * 64).read_bytes()
    with pytest.raises(TableError, match="was made by another kernel: remove the file to start with an empty table"):
        TableFile(tmp_path / "table", 16, KERNEL, "one")
    # The file has the format of tables before they had a header.
    (tmp_path / "bare").write_bytes(bytes(16 << 20))
    with pytest.raises(TableError, match="bare: not a table of Little-Go"):
        TableFile(tmp_path / "bare", 16, KERNEL, "one")
    assert (tmp_path / "table").read_bytes() == before
    assert not any((tmp_path / "bare").read_bytes())


def test_a_database_is_no_table_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    open_store(path, write=True, game=COURSE).close()
    before = path.read_bytes()
    with pytest.raises(TableError, match=r"book.db: not a table of Little-Go, and not changed: give another name"):
        TableFile(path, 16, KERNEL, "one")
    assert path.read_bytes() == before


def test_a_table_of_another_size_is_left_alone(tmp_path: Path) -> None:
    before = sealed(tmp_path / "table").read_bytes()
    with pytest.raises(TableError, match=r"not a table of 0\.03125 GiB"):
        TableFile(tmp_path / "table", 32, KERNEL, "one")
    (tmp_path / "short").write_bytes(before[:-1])
    with pytest.raises(TableError, match=r"not a table of 0\.015625 GiB"):
        TableFile(tmp_path / "short", 16, KERNEL, "one")
    assert (tmp_path / "table").read_bytes() == before


def test_a_pipe_is_no_table(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TableError, match="pipe: not a file"):
        TableFile(tmp_path / "pipe", 16, KERNEL, "one")


def test_a_table_in_use_is_left_alone(tmp_path: Path) -> None:
    path = sealed(tmp_path / "table")
    reading, writing = os.pipe()
    if not (child := os.fork()):
        held = TableFile(path, 16, KERNEL, "one")
        os.write(writing, b"." if held.taken_over else b"?")
        signal.pause()
    os.read(reading, 1)
    try:
        with pytest.raises(TableError, match="in use by another run"):
            TableFile(path, 16, KERNEL, "one")
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)


def test_path_that_cannot_be_made_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        TableFile(tmp_path / "missing" / "table", 16, KERNEL, "one")


def test_a_pickled_table_is_the_same_file(tmp_path: Path) -> None:
    """A worker maps the file itself. If another file has its name by then, the run ends."""
    path = sealed(tmp_path / "table")
    file = TableFile(path, 16, KERNEL, "one")
    pickled = pickle.dumps(file.memory)
    again = pickle.loads(pickled)
    assert (len(again), again[100:105]) == (16 << 20, b"stone")
    again[0:5] = b"point"
    assert file.memory[0:5] == b"point"
    file.seal()
    os.replace(shutil.copy(path, tmp_path / "copy"), path)
    with pytest.raises(TableError, match="replaced by another file during the run: start the run again"):
        pickle.loads(pickled)
