"""The memory of transposition tables."""

from pathlib import Path

import pytest

from solver.table import LEAST_MIB, open_table


def test_table_is_zeroed_and_as_large_as_asked() -> None:
    with open_table(LEAST_MIB) as table:
        assert len(table) == LEAST_MIB << 20
        assert table[:4096] == bytes(4096)


@pytest.mark.parametrize("mib", [-16, 0, 8, 15, 24, 100])
def test_other_sizes_are_refused(mib: int, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=f"power of two of MiB, 16 or more; not {mib}$"):
        open_table(mib, tmp_path / "table")
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
