from pathlib import Path

import pytest

from runtime.files import write_whole


@pytest.mark.parametrize(("content", "data"), [("é\n", b"\xc3\xa9\n"), (b"\x00\xff", b"\x00\xff")])
def test_a_file_is_written_and_nothing_else(tmp_path: Path, content: str | bytes, data: bytes) -> None:
    path = tmp_path / "file"
    write_whole(path, "of before")
    write_whole(path, content)
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_put_in_place_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "directory"
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(path, "text")
    assert path.is_dir()
    assert list(tmp_path.iterdir()) == [path]
