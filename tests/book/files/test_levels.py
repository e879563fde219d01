"""The parts of a ply's values: what is written is read again, and damage is found."""

import struct
import zlib
from array import array
from pathlib import Path

import pytest

from book.files.levels import (
    BLOCK_SHIFT,
    LevelError,
    block_of,
    blocks_of,
    parts_in,
    read_part,
    sizes_of,
    white_of,
    write_part,
)
from solver.native.kernel import next_ply
from solver.position import START
from solver.symmetry import key_of, position_of

BLOCKS = {7: bytes([24, 27, 0, 48]), 1 << 35: bytes([30]) * 1000}


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
            (white_of(block.number), positions[0].ko, positions[0].passed, 4)
        }
    assert len({block.number for block in blocks}) == len(blocks)
    assert block_of(keys[-1]) == keys[-1] >> BLOCK_SHIFT == blocks[-1].number


def test_a_part_gives_back_what_was_written(part: Path) -> None:
    read = read_part(part)
    assert (read.plies, read.ply) == (24, 7)
    assert {number: read.values(number) for number in BLOCKS} == BLOCKS
    assert read.values(8) is None
    assert sizes_of([read]) == {7: 4, 1 << 35: 1000}
    assert parts_in(part.parent) == [part]
    assert parts_in(part.parent / "none") == []


def test_the_same_blocks_give_the_same_bytes(part: Path, tmp_path: Path) -> None:
    write_part(tmp_path / "again", 24, 7, dict(reversed(BLOCKS.items())))
    assert (tmp_path / "again").read_bytes() == part.read_bytes()


def test_every_changed_byte_is_found_unless_nothing_depends_on_it(part: Path) -> None:
    whole = part.read_bytes()
    harmless = 0
    for at in range(len(whole)):
        part.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        try:
            read = read_part(part)
            found = {number: read.values(number) for number in BLOCKS}
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
    write_part(tmp_path / "a", 24, 7, {7: bytes([49])})
    with pytest.raises(LevelError, match="the values of block 7"):
        read_part(tmp_path / "a").values(7)
    # A stream of a gigabyte is unpacked only as far as the list of blocks allows.
    stream = zlib.compress(bytes(1 << 20), 9)
    head = struct.pack("<4sBBI", b"LGP1", 7, 24, 1) + struct.pack("<QII", 7, 5, len(stream))
    (tmp_path / "b").write_bytes(head + struct.pack("<I", zlib.crc32(head)) + stream)
    with pytest.raises(LevelError, match="the values of block 7"):
        read_part(tmp_path / "b").values(7)
