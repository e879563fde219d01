"""The files that a LevelRun needs and makes: the values of earlier plies, and the parts with the results."""

from array import array
from collections import defaultdict
from pathlib import Path

from little_go.book.files.atlas import read_ply
from little_go.book.files.levels import (
    SUFFIX,
    LevelError,
    block_key,
    block_of,
    parts_in,
    read_part,
    sizes_of,
    stones_of,
    write_part,
)
from little_go.book.files.shipped import LATER_PLIES, VALUES
from little_go.book.files.values import read_values
from little_go.generator.questions.level_run import OPEN, PlyAnswers
from little_go.runtime.files import MIB, read_file
from little_go.runtime.hints import command_line
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.kernel import next_ply
from little_go.solver.symmetry import key_of, position_of

#: The maximum size of a file of a run, in bytes.
_MAX_BYTES = 256 * MIB


def folder_of(out: Path, ply: int) -> Path:
    """Return the folder in ``out`` for the run of a ply."""
    return out / f"ply{ply}"


def answers_by_ply(game: Variant, ply: int, out: Path) -> list[PlyAnswers | None]:
    """Return the answers of each ply before ``ply``, or None for a ply without answers.

    The answers of a ply are from a finished run in ``out``. If ``out`` contains no such run, the answers of the
    course's game are from the shipped atlas. Raise AtlasError if the atlas is damaged.
    """
    known: list[PlyAnswers | None] = [_finished(folder_of(out, each)) for each in range(ply)]
    if game.plies == COURSE.plies and VALUES.is_file():
        atlas = read_values(VALUES)
        for each in range(ply):
            plane, later = atlas.plane(each), LATER_PLIES.get(each)
            if known[each] is None and plane is not None:
                known[each] = PlyAnswers(*plane)
            elif known[each] is None and later is not None and later.is_file():
                known[each] = PlyAnswers(*read_ply(later, each))
    return known


def _finished(folder: Path) -> PlyAnswers | None:
    if not (folder / "values").is_file():
        return None
    values = read_file(folder / "values", _MAX_BYTES)
    return None if OPEN in values else PlyAnswers(values, read_file(folder / "best", _MAX_BYTES))


def pack_part(game: Variant, ply: int, out: Path, parts: Path) -> tuple[Path | None, int, int]:
    """Write the finished blocks that no part contains yet into a new part.

    Return the part's path and the numbers of its blocks and positions, or (None, 0, 0) if there is no such block. Raise
    LevelError if the ply has no values, or if an old part is damaged.
    """
    keys = array("Q", [key_of(game.start)])
    for _ in range(ply):
        keys = next_ply(keys)
    there = parts_in(parts)
    packed = sizes_of(map(read_part, there))
    found: defaultdict[int, dict[int, int]] = defaultdict(dict)
    # If White is to move, the keys have the layout of the blocks: the stones of the side to move are in the upper bits.
    turned = keys if (game.first_ply + ply) % 2 else (block_key(position_of(key)) for key in keys)
    for key, value in zip(turned, _values(game, ply, out), strict=True):
        found[block_of(key)][stones_of(key)] = value
    new = {number: its for number, its in found.items() if number not in packed and OPEN not in its.values()}
    if not new:
        return None, 0, 0
    parts.mkdir(parents=True, exist_ok=True)
    path = parts / f"{len(there) + 1:03}{SUFFIX}"
    write_part(path, game.plies, ply, new)
    return path, len(new), sum(map(len, new.values()))


def _values(game: Variant, ply: int, out: Path) -> bytes:
    """Return the values of a ply in the order of its keys, from the run in ``out`` or else from the shipped atlas."""
    run, shipped = folder_of(out, ply) / "values", LATER_PLIES.get(ply)
    if not run.exists() and shipped is not None and game.plies == COURSE.plies:
        return read_ply(shipped, ply)[0]
    if not run.exists():
        search = command_line("generator level --plies", game.plies, "--depth", ply, "--out", out)
        raise LevelError(f"{run} does not exist: first run {search}")
    return read_file(run, _MAX_BYTES)
