"""The files of the runs of plies: what earlier plies are worth, and parts of what is found."""

from array import array
from pathlib import Path

from book.files.atlas import read_best
from book.files.levels import SUFFIX, blocks_of, parts_in, read_part, sizes_of, write_part
from book.files.shipped import LATER_PLIES, VALUES
from book.files.values import read_values
from generator.questions.level_run import NO_MOVE, OPEN, Known
from runtime.files import MIB, read_file
from solver.family import COURSE, Variant
from solver.native.kernel import next_ply
from solver.symmetry import key_of

#: Limit of a run's file of a ply in bytes.
_MOST = 256 * MIB


def folder_of(out: Path, ply: int) -> Path:
    """Return the folder of a ply's run."""
    return out / f"ply{ply}"


def known_plies(game: Variant, ply: int, out: Path) -> list[Known | None]:
    """Return what is known of each ply before: from a finished run in ``out``, or the course's from the atlas.

    Raises AtlasError and OSError.
    """
    known: list[Known | None] = [_finished(folder_of(out, each)) for each in range(ply)]
    if game.plies == COURSE.plies and VALUES.is_file():
        atlas = read_values(VALUES)
        for each in range(ply):
            plane = atlas.plane(each)
            if known[each] is None and plane is not None:
                known[each] = Known(*plane)
        later = LATER_PLIES.get(ply - 1)
        # An installed package lacks the largest file. Its moves save an eighth of the searches.
        if known[-1] is not None and later is not None and later.is_file():
            best = bytes(NO_MOVE if move is None else move for move in read_best(later, ply - 1))
            known[-1] = Known(known[-1].values, best)
    return known


def _finished(folder: Path) -> Known | None:
    if not (folder / "values").is_file():
        return None
    values = read_file(folder / "values", _MOST)
    return None if OPEN in values else Known(values, read_file(folder / "best", _MOST))


def pack_part(game: Variant, ply: int, out: Path, parts: Path) -> tuple[Path | None, int, int]:
    """Write a part of the finished blocks that no part has; return its path or None, its blocks and positions.

    Raises LevelError and OSError.
    """
    keys = array("Q", [key_of(game.start)])
    for _ in range(ply):
        keys = next_ply(keys)
    values = read_file(folder_of(out, ply) / "values", _MOST)
    there = parts_in(parts)
    packed = sizes_of(map(read_part, there))
    new = {}
    for block in blocks_of(keys):
        its = values[block.start : block.start + block.size]
        if block.number not in packed and OPEN not in its:
            new[block.number] = its
    if not new:
        return None, 0, 0
    parts.mkdir(parents=True, exist_ok=True)
    path = parts / f"{len(there) + 1:03}{SUFFIX}"
    write_part(path, game.plies, ply, new)
    return path, len(new), sum(map(len, new.values()))
