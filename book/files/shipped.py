"""The shipped results of the project's proofs: the places of the files, and the lines of best play for both sides."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from little_go.runtime.files import MIB, read_text
from little_go.runtime.release import cache_path, shipped
from little_go.solver.position import START, Position, parse_moves, play_all

#: The atlas for people: to ply ATLAS_PLY, and each later ply in its own file. A store is made from the first file, as
#: the next one alone would double it.
ATLAS_FILE, ATLAS_PLY = shipped("data/atlas.csv.gz"), 4
LATER_PLIES = {ply: shipped(f"data/atlas_ply{ply}.csv.gz") for ply in (5, 6)}

#: All plies of the atlas, for programs; book.files.values reads it.
VALUES = shipped("data/atlas.values")
BOOK_FILE = shipped("book.json")
CERTIFICATES = shipped("proof/certificates")

#: What the certificates claim, by position; book.files.claims_index reads it.
CLAIMS = shipped("data/claims.index")

#: The files of SHA-256 sums, as sha256sum writes them, beside the certificates and the data.
SUMS = "SHA256SUMS"
_DATA_SUMS = shipped(f"data/{SUMS}")

#: The default store; standard_store() finds its directory.
STORE = Path("book.db")


def standard_store() -> Path:
    """Return the place of the default store: the working directory, or else the release's."""
    return STORE if STORE.exists() else cache_path(STORE.name)


def later_digests() -> dict[int, str]:
    """Return the listed SHA-256 of each later ply's file: an installed package lacks the largest; raises OSError."""
    listed = (line.split() for line in read_text(_DATA_SUMS, MIB).splitlines())
    digests = {name: digest for digest, name in listed}
    return {ply: digests[path.name] for ply, path in LATER_PLIES.items()}


def where_to_get(path: Path) -> str | None:
    """Return where to get a later ply's file that is not installed; None for any other file."""
    if path.exists() or path.name not in {later.name for later in LATER_PLIES.values()}:
        return None
    return f"{path.name} is not installed: it is in little-go-data.zip of the release, and in data/ of the sources"


def certificates() -> list[Path]:
    """Return the certificates, by name; the checker has proved them whole (docs/explanation/SOLUTION.md)."""
    return sorted(CERTIFICATES.glob("*.cert.gz"))


def shipped_files() -> list[Path]:
    """Return the files that a store is made from, as far as they exist."""
    return [path for path in (ATLAS_FILE, BOOK_FILE, *certificates()) if path.is_file()]


class BestLine(NamedTuple):
    """A line of best play: the value of all its positions, the moves before it, and the moves to the end."""

    value: int
    way: tuple[int, ...]
    moves: tuple[int, ...]

    def steps(self) -> Iterator[tuple[Position, int]]:
        """Yield each position on the line, and the move there."""
        position = play_all(START, self.way)
        for move in self.moves:
            yield position, move
            position = position.play(move)


#: Value, way and moves of each, found by the native kernel. Where several moves are best, the principal variation takes
#: the first, PASS last (docs/explanation/SOLUTION.md). The others follow every other first stone, and every reply to
#: 2,2, so that a first mistake is explained to the end. Their last plies are those of book/answers/reasons.py.
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

#: The principal variation, and stones Black - White at its end.
MAIN_VALUE, _, MAIN_LINE = LINES[0]
