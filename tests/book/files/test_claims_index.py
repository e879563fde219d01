"""The index of the claims of certificates has each of their lines, and damage is found."""

import random
from pathlib import Path

import pytest

from little_go.book.exchange.claims import index_claims, read_claims
from little_go.book.files.atlas import AtlasError
from little_go.book.files.claims_index import ClaimsIndex, Listed, Row, read_claims_index
from little_go.book.files.shipped import CLAIMS, certificates
from little_go.solver.answer import Bounds
from little_go.solver.symmetry import SYMMETRIES, Oriented, transform

FILES = [Listed("one", "01" * 32, Bounds(3, 24)), Listed("two", "02" * 32, Bounds(-24, 3))]
ROWS = [Row(7, 0, 12), Row(1 << 60, 1, 25), Row(7, 1, 31), Row(7, 0, 3)]


def test_the_rows_come_back(tmp_path: Path) -> None:
    path = tmp_path / "index"
    path.write_bytes(ClaimsIndex.of(FILES, ROWS).packed())
    index = read_claims_index(path)
    assert (index.files, len(index)) == (FILES, 4)
    assert [*index.about(7)] == [(0, 3), (0, 12), (1, None)]
    assert [*index.about(1 << 60)] == [(1, 25)]
    assert [*index.about(8)] == [*index.about(0)] == [*index.about((1 << 61) - 1)] == []
    assert index.packed() == path.read_bytes()
    path.write_bytes(ClaimsIndex.of([], []).packed())
    assert len(read_claims_index(path)) == 0


def test_damage_is_found(tmp_path: Path) -> None:
    whole = ClaimsIndex.of(FILES, ROWS).packed()
    path = tmp_path / "index"
    for at in range(len(whole)):
        for content in (whole[:at], whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]):
            path.write_bytes(content)
            with pytest.raises(AtlasError, match="not the index of the certificates"):
                read_claims_index(path)
    for rows in ([Row(7, 2, 12)], [Row(7, 0, 26)]):
        path.write_bytes(ClaimsIndex.of(FILES, rows).packed())
        with pytest.raises(AtlasError, match="out of range"):
            read_claims_index(path)


@pytest.mark.parametrize("step", [40, pytest.param(1, marks=pytest.mark.long)])
def test_the_shipped_index_has_the_claims_of_the_certificates(step: int) -> None:
    index = read_claims_index(CLAIMS)
    assert [file.name for file in index.files] == [path.name for path in certificates()]
    dice, lines = random.Random(step), 0
    for number, path in enumerate(certificates()):
        claims = read_claims(path)
        assert index.files[number] == (path.name, claims.digest, claims.bounds)
        facts = [*claims.facts()]
        lines += len(claims.lines)
        for fact in facts[::step]:
            oriented = Oriented.of(transform(dice.randrange(SYMMETRIES), fact.position))
            moves = {move for its, move in index.about(oriented.key) if its == number}
            assert fact.best is None or Oriented.of(fact.position).to[fact.best] in moves
            assert moves
    starts = len(index) - lines
    assert 0 <= starts <= 30, "besides the lines there are only starts without one"


@pytest.mark.long
def test_the_shipped_index_is_made_again() -> None:
    assert index_claims(certificates()).packed() == CLAIMS.read_bytes()
