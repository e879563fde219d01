"""The parts of a ply's values: written values are read again, and damage is found."""

import random
import struct
import zlib
from array import array
from itertools import pairwise
from pathlib import Path

import pytest

from little_go.book.files.levels import (
    BLOCK_SHIFT,
    NONE,
    LevelError,
    LevelValues,
    block_key,
    block_of,
    blocks_of,
    max_other_stones,
    parts_in,
    place_count,
    place_of,
    read_part,
    sets_of,
    sizes_of,
    stones_of,
    write_part,
)
from little_go.solver.answer import LEAST
from little_go.solver.native.kernel import next_ply
from little_go.solver.position import FULL, START
from little_go.solver.symmetry import canonical_key, key_of, position_of, transform_mask

#: Two blocks: White has a stone in a corner, which one symmetry keeps; or three stones that no symmetry keeps, after a
#: PASS.
CORNER, PASSED = key_of(START._replace(ply=7, white=1)), key_of(START._replace(ply=7, white=0b1011, passed=True))

#: By block, the values + 24 by Black's stones.
BLOCKS = {
    block_of(CORNER): {0b10: 24, 0b100: 27, 0b1100: 0, 1 << 24: 48},
    block_of(PASSED): dict.fromkeys((1 << point for point in range(4, 25)), 30),
}


@pytest.fixture
def part(tmp_path: Path) -> Path:
    write_part(tmp_path / "001.part", 24, 7, BLOCKS)
    return tmp_path / "001.part"


def test_the_blocks_of_a_ply_hold_each_key_once_and_share_all_but_the_black_stones() -> None:
    keys = array("Q", [key_of(START)])
    for _ in range(4):
        keys = next_ply(keys)
    blocks = blocks_of(keys)
    assert [key for block in blocks for key in keys[block.start : block.start + block.size]] == list(keys)
    for block in blocks:
        positions = [position_of(key) for key in keys[block.start : block.start + block.size]]
        assert {(each.white, each.ko, each.passed, each.ply) for each in positions} == {
            (stones_of(block.number), positions[0].ko, positions[0].passed, 4)
        }
    assert len({block.number for block in blocks}) == len(blocks)
    assert block_of(keys[-1]) == keys[-1] >> BLOCK_SHIFT == blocks[-1].number


@pytest.mark.parametrize(("other", "most"), [(0, 2), (0b1011, 3), (1 << 24, 4), (FULL, 2)])
def test_places_count_the_sets_in_order(other: int, most: int) -> None:
    sets = sets_of(other, most)
    assert all(first < second for first, second in pairwise(sets))
    assert all(not stones & other and stones.bit_count() <= most for stones in sets)
    assert [place_of(stones, other, most) for stones in sets] == list(range(len(sets)))
    assert place_of(FULL & ~other, other, most) is (0 if other == FULL else None)


def test_a_part_gives_back_what_was_written(part: Path) -> None:
    read = read_part(part)
    assert (read.plies, read.ply) == (24, 7)
    for number, values in BLOCKS.items():
        placed = read.block(number)
        assert placed is not None
        assert len(placed) == place_count(7, number)
        for stones, value in zip(sets_of(stones_of(number), max_other_stones(7, number)), placed, strict=True):
            if stones in values:
                assert value == values[stones]
            elif all(transform_mask(symmetry, stones) >= stones for symmetry in (0, 1)):
                assert value == NONE
    assert read.block(8) is None
    assert sizes_of([read]) == {block_of(CORNER): 4, block_of(PASSED): 21}
    assert parts_in(part.parent) == [part]
    assert parts_in(part.parent / "none") == []


def test_the_same_blocks_give_the_same_bytes(part: Path, tmp_path: Path) -> None:
    write_part(tmp_path / "again", 24, 7, dict(reversed(list(BLOCKS.items()))))
    assert (tmp_path / "again").read_bytes() == part.read_bytes()


def test_every_changed_byte_is_found_unless_nothing_depends_on_it(part: Path) -> None:
    whole = part.read_bytes()
    placed = {number: read_part(part).block(number) for number in BLOCKS}
    harmless = 0
    for at in range(len(whole)):
        part.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        try:
            read = read_part(part)
            found = {number: read.block(number) for number in BLOCKS}
        except LevelError:
            continue
        assert found == placed
        harmless += 1
    # The last byte of a stream may have unused bits.
    assert harmless <= len(BLOCKS)


@pytest.mark.parametrize("length", [0, 3, 9, 12, 40, -1])
def test_a_part_that_ends_early_is_found(part: Path, length: int) -> None:
    part.write_bytes(part.read_bytes()[:length])
    with pytest.raises(LevelError, match=r"damaged|another format"):
        read_part(part)


def test_a_value_out_of_range_and_a_false_length_are_found(tmp_path: Path) -> None:
    block = block_of(CORNER)
    write_part(tmp_path / "a", 24, 7, {block: {0b10: NONE + 1}})
    with pytest.raises(LevelError, match=f"block {block}"):
        read_part(tmp_path / "a").block(block)
    # A stream of a megabyte is unpacked only as far as the block has places.
    for name, number in (("b", block), ("c", 1 << 40)):
        stream = zlib.compress(bytes(1 << 20), 9)
        head = struct.pack("<4sBBI", b"LGP2", 7, 24, 1) + struct.pack("<QII", number, 5, len(stream))
        (tmp_path / name).write_bytes(head + struct.pack("<I", zlib.crc32(head)) + stream)
        with pytest.raises(LevelError, match=f"block {number}"):
            read_part(tmp_path / name).block(number)


def plies(count: int) -> list["array[int]"]:
    levels = [array("Q", [key_of(START)])]
    while len(levels) <= count:
        levels.append(next_ply(levels[-1]))
    return levels


@pytest.mark.parametrize("ply", [3, 4, 5])
def test_the_values_of_a_ply_are_found_by_place(tmp_path: Path, ply: int) -> None:
    keys = plies(ply)[ply]
    known = {key: index % 49 - 24 for index, key in enumerate(keys)}
    blocks: dict[int, dict[int, int]] = {}
    for key in keys:
        turned = block_key(position_of(key))
        blocks.setdefault(block_of(turned), {})[stones_of(turned)] = known[key] - LEAST
    first, *rest = sorted(blocks)
    write_part(tmp_path / "001.part", 24, ply, {number: blocks[number] for number in rest})
    some = LevelValues(ply, parts_in(tmp_path))
    assert len(some) == len(keys) - len(blocks[first])
    absent = {key for key in keys if block_of(block_key(position_of(key))) == first}
    assert dict(some.items()) == {key: value for key, value in known.items() if key not in absent}
    assert sorted(some.values()) == sorted(value for _, value in some.items())
    for key in keys:
        assert some.get(position_of(key)) == (None if key in absent else known[key])


def test_a_position_that_no_game_leads_to_has_no_value(tmp_path: Path) -> None:
    keys = plies(4)[4]
    blocks: dict[int, dict[int, int]] = {}
    for key in keys:
        turned = block_key(position_of(key))
        blocks.setdefault(block_of(turned), {})[stones_of(turned)] = 24
    write_part(tmp_path / "001.part", 24, 4, blocks)
    values, reached = LevelValues(4, parts_in(tmp_path)), set(keys)
    dice = random.Random(4)
    unknown = 0
    for _ in range(5000):
        points = dice.sample(range(25), dice.randrange(7))
        black, white = (sum(1 << point for point in points[colour::2]) for colour in (0, 1))
        position = START._replace(ply=4, black=black, white=white, passed=dice.random() < 0.5)
        has_value = values.get(position) is not None
        assert has_value == (canonical_key(position) in reached), position
        unknown += not has_value
    assert 1000 < unknown < 4500


def test_the_parts_of_another_ply_are_refused(tmp_path: Path) -> None:
    write_part(tmp_path / "002.part", 24, 4, {})
    with pytest.raises(LevelError, match="ply 4 of 24, not ply 3 of 24"):
        LevelValues(3, parts_in(tmp_path))


def test_a_block_with_a_false_number_of_positions_is_damaged(tmp_path: Path, part: Path) -> None:
    content = part.read_bytes()
    end = len(content) - sum(end - start for _, start, end in read_part(part)._rows.values()) - 4
    head = bytearray(content[:end])
    head[10 + 8] += 1
    part.write_bytes(bytes(head) + struct.pack("<I", zlib.crc32(head)) + content[end + 4 :])
    with pytest.raises(LevelError, match=r"4 positions in block \d+, not 5"):
        list(LevelValues(7, [part]).items())
