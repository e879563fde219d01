import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from little_go.arena.learning.littlego import ValueTable, ValueTableError, open_table, pack, write_table

VALUES = {5: 0.0, 2**19 - 1: 1.0, 70_000: 0.5, 6: 0.5009}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a sound table."""
    write_table(pack(VALUES), tmp_path / "table.json")
    return tmp_path / "table.json"


def test_values_become_one_of_256_steps() -> None:
    table = pack(VALUES)
    assert (table.low, table.high, len(table)) == (0.0, 1.0, 4)
    assert [table.rank(key) for key in (5, 6, 70_000, 2**19 - 1, 4)] == [0, 128, 128, 255, -1]


@given(st.dictionaries(st.integers(0, 2**32 - 1), st.floats(-5, 5)))
def test_rounding_is_within_half_a_step(values: dict[int, float]) -> None:
    table = pack(values)
    step = (table.high - table.low) / 255
    for key, value in values.items():
        assert abs(table.low + step * table.rank(key) - value) <= step * 0.5001 + 1e-12


@given(values=st.dictionaries(st.integers(0, 2**32 - 1), st.floats(-5, 5)))
def test_file_gives_back_what_was_written(tmp_path_factory: pytest.TempPathFactory, values: dict[int, float]) -> None:
    path = tmp_path_factory.mktemp("table") / "table.json"
    table = pack(values)
    write_table(table, path)
    found = open_table(path)
    assert (found.values, found.low, found.high) == (table.values, table.low, table.high)
    assert list(path.parent.iterdir()) == [path]


def test_equal_tables_are_equal_files(path: Path) -> None:
    before = path.read_bytes()
    write_table(pack(dict(reversed(VALUES.items()))), path)
    assert path.read_bytes() == before


def damage(path: Path, **changes: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "chess"}, "not a table of learnt values for Little-Go"),
        ({"format": 2}, "table format 2, but this program reads format 1"),
        ({"data": "A"}, "damaged: its data are not base64"),
        ({"data": "AAAA"}, "damaged: its data do not decompress"),
        ({"data": 5}, "damaged: data is missing"),
        ({"low": None}, "damaged: low is missing"),
        ({"sha256": "0"}, "damaged: its data do not have the sha256 it states"),
        ({"entries": 5}, "damaged: 20 bytes of data for 5 keys"),
    ],
)
def test_damaged_table_is_refused(path: Path, changes: dict[str, Any], words: str) -> None:
    damage(path, **changes)
    with pytest.raises(ValueTableError, match=words) as error:
        open_table(path)
    assert str(error.value).startswith(str(path))


def test_changed_data_are_noticed(path: Path) -> None:
    other = path.with_name("other.json")
    write_table(ValueTable({1: 2}, 0.0, 1.0), other)
    damage(path, data=json.loads(other.read_text())["data"])
    with pytest.raises(ValueTableError, match="sha256"):
        open_table(path)


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"\xff", b"nonsense"])
def test_other_files_are_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(ValueTableError, match="not JSON"):
        open_table(path)


def test_missing_table_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueTableError, match="No such file"):
        open_table(tmp_path / "none.json")
