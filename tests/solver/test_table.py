"""The memory of transposition tables."""

import errno
import os
from pathlib import Path

import pytest

from solver.table import LEAST_MIB, free_memory, open_table


def test_table_is_zeroed_and_as_large_as_asked() -> None:
    with open_table(LEAST_MIB) as table:
        assert len(table) == LEAST_MIB << 20
        assert table[:4096] == bytes(4096)


@pytest.mark.parametrize("mib", [-16, 0, 8, 15, 24, 100])
def test_other_sizes_are_refused(mib: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"power of two of MiB, 16 or more; not {mib}$"):
        open_table(mib, tmp_path / "table")
    assert not (tmp_path / "table").exists()


@pytest.mark.parametrize("shared", [False, True])
def test_only_a_shared_table_is_seen_by_a_fork(shared: bool) -> None:
    with open_table(16, shared=shared) as table:
        child = os.fork()
        if not child:
            table[7] = 5
            os._exit(0)
        os.waitpid(child, 0)
        assert table[7] == (5 if shared else 0)


def test_more_than_the_machine_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 16 << 20 < free_memory() < 1 << 60
    with pytest.raises(ValueError, match=r"^a table of 1.04858e\+06 GiB does not fit: [0-9.]+ GiB of memory are free$"):
        open_table(1 << 30)


def test_a_full_disk_is_seen_before_the_table_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match=r"no room for a table of 0\.03125 GiB") as error:
        open_table(32, tmp_path / "table")
    assert (error.value.errno, error.value.filename) == (errno.ENOSPC, str(tmp_path / "table"))
    assert not (tmp_path / "table").exists()


def test_file_keeps_the_table(tmp_path: Path) -> None:
    path = tmp_path / "table"
    with open_table(16, path) as table:
        table[100:105] = b"stone"
    assert path.stat().st_size == 16 << 20
    with open_table(16, path) as again:
        assert again[100:105] == b"stone"


def test_file_is_shared_while_open(tmp_path: Path) -> None:
    with open_table(16, tmp_path / "table") as one, open_table(16, tmp_path / "table") as other:
        one[7] = 5
        assert other[7] == 5


def test_file_of_another_size_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(b"not a table")
    with pytest.raises(ValueError, match=r"holds a table of .* MiB, not 16"):
        open_table(16, path)
    assert path.read_bytes() == b"not a table"


def test_path_that_cannot_be_made_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_table(16, tmp_path / "missing" / "table")
