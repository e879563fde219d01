"""The sources that are consulted."""

import hashlib
from pathlib import Path

import pytest

from little_go.book.answers.sources import BookSource, StoreSource, sources_of
from little_go.book.files.shipped import BOOK_FILE
from little_go.book.store.facts import Fact
from little_go.book.store.store import Store, open_store
from little_go.solver.family import COURSE
from little_go.solver.position import START
from tests.book.positions import make_store


@pytest.mark.parametrize("is_imported", [True, False])
def test_a_book_that_the_store_has_imported_is_no_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_imported: bool
) -> None:
    digest = hashlib.sha256(BOOK_FILE.read_bytes()).hexdigest()
    monkeypatch.setattr(Store, "imported", lambda _: {digest if is_imported else "another file"})
    with open_store(make_store(tmp_path / "book.db", Fact(START, 3, 24)), game=COURSE) as store:
        kinds = [type(source) for source in sources_of(store, None, BOOK_FILE, certificates=False)]
    assert kinds == ([StoreSource] if is_imported else [StoreSource, BookSource])
