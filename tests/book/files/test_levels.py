"""The parts of a ply's values: what is written is read again, and damage is found."""

import struct
import zlib
from array import array
from pathlib import Path

import pytest

from book.files.levels import (
    BLOCK_SHIFT,
    BlockKeys,
    LevelError,
    LevelValues,
    Packed,
    block_of,
    blocks_of,
    parts_in,
    read_part,
    sizes_of,
    stones_of,
    write_part,
)
from solver.native.kernel import next_ply, recoloured
from solver.position import START
from solver.symmetry import canonical_key, key_of, position_of

BLOCKS = {7: Packed((5, 1 << 60), bytes([24, 27, 0, 48])), 1 << 35: Packed((), bytes([30]) * 1000)}


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


def test_a_part_gives_back_what_was_written(part: Path) -> None:
    read = read_part(part)
    assert (read.plies, read.ply) == (24, 7)
    assert {number: read.block(number) for number in BLOCKS} == BLOCKS
    assert read.block(8) is None
    assert sizes_of([read]) == {7: 4, 1 << 35: 1000}
    assert parts_in(part.parent) == [part]
    assert parts_in(part.parent / "none") == []


def test_the_same_blocks_give_the_same_bytes(part: Path, tmp_path: Path) -> None:
    write_part(tmp_path / "again", 24, 7, dict(reversed(list(BLOCKS.items()))))
    assert (tmp_path / "again").read_bytes() == part.read_bytes()


def test_every_changed_byte_is_found_unless_nothing_depends_on_it(part: Path) -> None:
    whole = part.read_bytes()
    harmless = 0
    for at in range(len(whole)):
        part.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        try:
            read = read_part(part)
            found = {number: read.block(number) for number in BLOCKS}
        except LevelError:
            continue
        assert found == BLOCKS
        harmless += 1
    # Bits that fill up the last byte of a stream.
    assert harmless <= len(BLOCKS)


@pytest.mark.parametrize("length", [0, 3, 9, 12, 40, -1])
def test_a_part_that_ends_early_is_found(part: Path, length: int) -> None:
    part.write_bytes(part.read_bytes()[:length])
    with pytest.raises(LevelError, match=r"damaged|another format"):
        read_part(part)


def test_a_value_out_of_range_and_a_false_number_of_positions_are_found(tmp_path: Path) -> None:
    write_part(tmp_path / "a", 24, 7, {7: Packed((), bytes([49]))})
    with pytest.raises(LevelError, match="block 7"):
        read_part(tmp_path / "a").block(7)
    # A stream of a gigabyte is unpacked only as far as the list of blocks allows.
    stream = zlib.compress(bytes(1 << 20), 9)
    head = struct.pack("<4sBBI", b"LGP1", 7, 24, 1) + struct.pack("<QIHI", 7, 5, 0, len(stream))
    (tmp_path / "b").write_bytes(head + struct.pack("<I", zlib.crc32(head)) + stream)
    with pytest.raises(LevelError, match="block 7"):
        read_part(tmp_path / "b").block(7)


def plies(count: int) -> list["array[int]"]:
    levels = [array("Q", [key_of(START)])]
    while len(levels) <= count:
        levels.append(next_ply(levels[-1]))
    return levels


@pytest.mark.parametrize(("early", "ply"), [(2, 3), (3, 4), (3, 5), (5, 6)])
def test_the_keys_of_blocks_are_those_of_the_ply_but_for_captures(early: int, ply: int) -> None:
    levels = plies(ply)
    keys = levels[ply] if ply % 2 else recoloured(levels[ply], ordered=True)
    made = BlockKeys(early, lambda: levels[early])
    captures = []
    for number, start, size in blocks_of(keys):
        whole, some = keys[start : start + size], set(made.of(ply, number, ()))
        assert some <= set(whole)
        more = [key for key in whole if key not in some]
        assert made.of(ply, number, more) == whole
        captures += more
    assert len(captures) == {3: 0, 4: 1, 5: 14, 6: 61}[ply]
    # Where a stone was captured, there are fewer than plies were played.
    for key in captures:
        position = position_of(key if ply % 2 else recoloured([key])[0])
        assert (position.black | position.white).bit_count() < ply


def test_recoloured_keys_are_those_of_the_exchanged_colours() -> None:
    keys = plies(4)[4]
    found = recoloured(keys)
    for key, other in list(zip(keys, found, strict=True))[::97]:
        position = position_of(key)
        assert other == canonical_key(position._replace(black=position.white, white=position.black))
    assert recoloured(found, ordered=True) == keys
    assert recoloured([]) == array("Q")
    with pytest.raises(ValueError, match="names no position"):
        recoloured([31 << 50])
    with pytest.raises(ValueError, match="61 bits"):
        recoloured([1 << 61])


def test_the_values_of_a_ply_are_found_block_by_block(tmp_path: Path) -> None:
    levels = plies(3)
    keys = levels[3]
    known = {key: index % 49 for index, key in enumerate(keys)}
    blocks = {
        number: Packed((), bytes(known[key] for key in keys[start : start + size]))
        for number, start, size in blocks_of(keys)
    }
    first, *rest = blocks
    write_part(tmp_path / "001.part", 24, 3, {number: blocks[number] for number in rest})
    some = LevelValues(3, parts_in(tmp_path), BlockKeys(2, lambda: levels[2]))
    assert len(some) == len(keys) - len(blocks[first].values)
    assert dict(some.items()) == {key: known[key] - 24 for key in keys if block_of(key) != first}
    assert sorted(some.values()) == sorted(value for _, value in some.items())
    for key in keys:
        assert some.get(key) == (None if block_of(key) == first else known[key] - 24)
    # White has the same stones, and Black some that no three plies give him.
    assert some.get(keys[-1] | 0b11011 << 10) is None
    write_part(tmp_path / "002.part", 24, 4, {})
    with pytest.raises(LevelError, match="ply 4 of 24, not ply 3 of 24"):
        LevelValues(3, parts_in(tmp_path), BlockKeys(2, lambda: levels[2]))


def test_a_block_with_too_few_values_is_damaged(tmp_path: Path) -> None:
    levels = plies(3)
    number, _, size = blocks_of(levels[3])[-1]
    write_part(tmp_path / "001.part", 24, 3, {number: Packed((), bytes(size - 1))})
    with pytest.raises(LevelError, match=f"{size - 1} values of {size} positions"):
        LevelValues(3, parts_in(tmp_path), BlockKeys(2, lambda: levels[2])).get(levels[3][-1])
