"""The shipped results: the paths of the files, and lines of best play for both sides."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from little_go.runtime.files import MIB, read_text
from little_go.runtime.release import cache_path, shipped
from little_go.solver.position import START, Position, parse_moves, play_all

#: The atlas as CSV: the plies to ATLAS_PLY in one file, and each later ply in its own file. A store is built only from
#: the first file, because ply 6 alone would double the size of the store.
ATLAS_FILE, ATLAS_PLY = shipped("data/atlas.csv.gz"), 4
LATER_PLIES = {ply: shipped(f"data/atlas_ply{ply}.csv.gz") for ply in (5, 6)}

#: The atlas in binary form, with all plies, which book.files.values reads.
VALUES = shipped("data/atlas.values")
BOOK_FILE = shipped("book.json")
CERTIFICATES = shipped("proof/certificates")

#: The claims of the certificates by position, which book.files.claims_index reads.
CLAIMS = shipped("data/claims.index")

#: The files of SHA-256 sums in sha256sum's format, in the folders of the certificates and of the data.
SUMS = "SHA256SUMS"
_DATA_SUMS = shipped(f"data/{SUMS}")

#: The file name of the default store, whose directory standard_store() finds.
STORE = Path("book.db")


def standard_store() -> Path:
    """Return the path of the default store, which is in the working directory, or else in the cache."""
    return STORE if STORE.exists() else cache_path(STORE.name)


def later_digests() -> dict[int, str]:
    """Return, by ply, the listed SHA-256 of the file of each later ply."""
    listed = (line.split() for line in read_text(_DATA_SUMS, MIB).splitlines())
    digests = {name: digest for digest, name in listed}
    return {ply: digests[path.name] for ply, path in LATER_PLIES.items()}


def where_to_get(path: Path) -> str | None:
    """Return an instruction for getting a later ply's file if it is not installed, or None for any other file."""
    if path.exists() or path.name not in {later.name for later in LATER_PLIES.values()}:
        return None
    return f"{path.name} is not installed: it is in little-go-data.zip of the release, and in data/ of the sources"


def certificates() -> list[Path]:
    """Return the certificates, sorted by name. The checker has proved all of them (docs/explanation/SOLUTION.md)."""
    return sorted(CERTIFICATES.glob("*.cert.gz"))


def shipped_files() -> list[Path]:
    """Return the files from which a store is built, without files that do not exist."""
    return [path for path in (ATLAS_FILE, BOOK_FILE, *certificates()) if path.is_file()]


class BestLine(NamedTuple):
    """A line of best play: the value of all its positions, the moves before the line, and the moves on the line."""

    value: int
    way: tuple[int, ...]
    moves: tuple[int, ...]

    def steps(self) -> Iterator[tuple[Position, int]]:
        """Yield each position on the line with the move in it."""
        position = play_all(START, self.way)
        for move in self.moves:
            yield position, move
            position = position.play(move)


#: The value, ``way`` and ``moves`` of each line, found by the native kernel. The first line is the principal variation.
#: If several moves are best, this line has the first best move in the order of the board, with PASS last
#: (docs/explanation/SOLUTION.md). The other lines begin after each other first move and after each other reply to 2,2,
#: so the first mistake of a game can be explained to the end. The last plies of these lines are chosen by
#: teaching_line() of book/answers/reasons.py.
_LINES = (
    (3, "", "2,2 1,1 1,2 3,1 2,1 3,2 3,0 1,0 0,1 2,0 0,0 2,3 0,2 1,3 0,3 2,4 0,4 3,3 1,0 1,4 2,0 3,4 4,0 4,1"),
    (-2, "1,1", "2,2 1,2 1,3 2,1 3,2 2,3 3,3 3,1 2,4 0,2 4,1 0,3 1,4 0,0 0,4 3,0 3,4 1,0 2,3 0,1 4,2 4,3 4,4"),
    (0, "1,2", "2,2 2,1 1,1 0,1 2,3 1,0 3,1 1,3 1,4 3,0 3,2 0,0 0,3 0,2 2,4 0,4 4,1 3,3 4,0 3,4 0,3 4,2 2,0"),
    (-3, "0,2", "2,2 1,1 1,3 2,1 3,1 1,2 2,3 3,2 3,3 3,0 4,2 0,3 1,4 0,0 0,4 2,0 4,1 4,0 2,4 3,4 4,4 PASS 3,2"),
    (-2, "0,1", "2,2 2,1 1,2 3,2 1,1 3,1 2,3 3,3 1,0 3,4 2,4 0,2 0,0 2,0 0,3 3,0 0,1 4,0 0,2 1,4 4,2 4,3 0,4"),
    (-3, "0,0", "2,2 1,2 1,1 2,1 1,3 3,2 2,3 1,0 0,2 3,1 3,3 4,3 0,1 2,0 0,3 0,4 1,4 2,4 3,4 3,0 0,4 4,1 1,2"),
    (3, "2,2 1,2", "2,1 1,3 2,3 1,1 3,2 2,4 3,4 1,4 1,0 3,3 4,3 2,0 3,0 0,0 2,0 0,1 0,3 4,1 3,1 PASS PASS"),
    (4, "2,2 0,2", "1,1 0,1 2,1 2,3 1,3 3,3 3,2 2,0 1,0 4,1 1,4 0,3 3,0 4,2 0,0 2,4 1,2 3,1 0,4 0,2 0,1 3,4"),
    (4, "2,2 0,1", "1,1 0,2 2,1 2,3 1,3 3,3 3,2 2,0 1,0 4,1 1,4 0,3 3,0 4,2 0,0 2,4 1,2 3,1 0,4 0,2 0,1 3,4"),
    (5, "2,2 0,0", "1,1 0,1 2,1 2,3 1,3 3,3 3,2 3,0 4,3 4,2 4,1 3,4 0,2 1,4 1,0 0,0 0,3 0,4 2,4 1,4 0,1 0,4"),
    (5, "2,2 PASS", "1,1 0,0 2,1 3,1 2,3 3,2 3,3 1,3 0,1 2,4 1,0 0,3 0,2 2,0 3,0 3,4 1,2 1,4 4,1 4,3 4,2 0,4"),
)

LINES = tuple(BestLine(value, tuple(parse_moves(way)), tuple(parse_moves(moves))) for value, way, moves in _LINES)

#: The principal variation, and its value.
MAIN_VALUE, _, MAIN_LINE = LINES[0]
