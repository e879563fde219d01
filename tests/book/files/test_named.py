"""A book is refused immediately if something else is in its place, such as a pipe."""

from pathlib import Path

import pytest

from little_go.book.files.reader import BookError
from little_go.book.files.writer import read_named_book
from tests.not_files import NOT_FILES


@pytest.mark.parametrize("kind", sorted(NOT_FILES.keys() - {"too large"}))
def test_what_is_no_file_is_no_book(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    NOT_FILES[kind](path)
    with pytest.raises((BookError, OSError)) as refused:
        read_named_book(path)
    assert "\n" not in str(refused.value)
