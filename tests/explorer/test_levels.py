"""The page finds each value of a ply in its blocks, as book/files/levels.py does."""

import random
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path

import pytest

from little_go.book.files.levels import (
    BLOCK_SHIFT,
    block_key,
    block_of,
    max_other_stones,
    sets_of,
    stones_of,
    write_part,
)
from little_go.explorer.packs import pack_level
from little_go.solver.answer import LEAST, MOST
from little_go.solver.position import GAME_PLIES, START, Position
from little_go.solver.symmetry import canonical_key
from tests.explorer.vectors import PageModules


def positions_at(ply: int, count: int, rng: random.Random) -> Iterator[Position]:
    """Yield the positions of random games after a number of plies."""
    while count:
        position = START
        while position.ply < ply and not position.is_over:
            moves = position.legal_moves()
            position = position.play(moves[-1] if rng.random() < 0.1 else rng.choice(moves[:-1]))
        if not position.is_over:
            count -= 1
            yield position


@pytest.mark.parametrize("ply", [6, 7])
def test_the_page_finds_the_values_of_a_ply(page_modules: PageModules, tmp_path: Path, ply: int) -> None:
    rng = random.Random(ply)
    found = {block_key(position): position for position in positions_at(ply, 60, rng)}
    assert any(position.passed for position in found.values())
    values = {key: rng.choice([LEAST, MOST, 0, 3, -7]) for key in found}
    # Each block has more than one value, so that the places of its positions matter.
    blocks = {block_of(key): dict[int, int]() for key in [*found][:50]}
    for key, value in values.items():
        if block_of(key) in blocks:
            blocks[block_of(key)][stones_of(key)] = value - LEAST
    write_part(tmp_path / "1.part", GAME_PLIES, ply, blocks)
    packed = zlib.decompress(b64decode(pack_level(tmp_path)))

    keys = [str(canonical_key(position)) for position in found.values()]
    (answers,) = page_modules.ask("levels", [{"ply": ply, "bytes": packed.hex(), "keys": keys}])
    assert answers == [values[key] if block_of(key) in blocks else "no block" for key in found]
    assert "no block" in answers

    wrong = [packed[:-1], packed + b"\0"]
    answers = page_modules.ask("levels", [{"ply": ply, "bytes": each.hex(), "keys": []} for each in wrong])
    assert answers == [{"error": f"the values of a ply have {len(each)} bytes, not {len(packed)}"} for each in wrong]


def test_a_place_without_a_position_has_no_value(page_modules: PageModules, tmp_path: Path) -> None:
    (position,) = positions_at(7, 1, random.Random(8))
    key = block_key(position)
    block = block_of(key)
    write_part(tmp_path / "1.part", GAME_PLIES, 7, {block: {stones_of(key): 5 - LEAST}})
    packed = zlib.decompress(b64decode(pack_level(tmp_path)))
    most = max_other_stones(7, block)
    empty = [stones for stones in sets_of(stones_of(block), most + 1) if stones.bit_count() in (0, most, most + 1)]
    keys = [str(block << BLOCK_SHIFT | stones) for stones in empty if stones != stones_of(key)]
    (answers,) = page_modules.ask("levels", [{"ply": 7, "bytes": packed.hex(), "keys": [*keys, str(key)]}])
    assert len(keys) > 100
    assert answers == [None] * len(keys) + [5]
