"""The places of the files that ship with the project: the results of its proofs."""

from pathlib import Path

from runtime.files import MIB, read_text
from runtime.release import shipped

#: The atlas for people: to ply ATLAS_PLY, and later plies, each in a file of its own. A store is made from the first
#: file, as the next one alone would double it.
ATLAS_FILE, ATLAS_PLY = shipped("data/atlas.csv.gz"), 4
LATER_PLIES = {ply: shipped(f"data/atlas_ply{ply}.csv.gz") for ply in (5, 6)}

#: All plies of the atlas, for programs; book.files.values reads it.
VALUES = shipped("data/atlas.values")
BOOK_FILE = shipped("book.json")
CERTIFICATES = shipped("proof/certificates")

#: In the folders of the certificates and of the data: their SHA-256, as sha256sum writes it.
SUMS = "SHA256SUMS"
_DATA_SUMS = shipped(f"data/{SUMS}")


def later_digests() -> dict[int, str]:
    """Return the SHA-256 of each later ply's file, as listed beside them: an installed package lacks the largest file.

    Raises OSError.
    """
    listed = (line.split() for line in read_text(_DATA_SUMS, MIB).splitlines())
    digests = {name: digest for digest, name in listed}
    return {ply: digests[path.name] for ply, path in LATER_PLIES.items()}


def where_to_get(path: Path) -> str | None:
    """Return where a file of a later ply is that is not installed; None for any other file, or one that is there."""
    if path.exists() or path.name not in {later.name for later in LATER_PLIES.values()}:
        return None
    return f"{path.name} is not installed: it is in little-go-data.zip of the release, and in data/ of the sources"


def certificates() -> list[Path]:
    """Return the certificates, which the checker has proved whole (docs/explanation/SOLUTION.md), by their names."""
    return sorted(CERTIFICATES.glob("*.cert.gz"))


def shipped_files() -> list[Path]:
    """Return those that a store is made from, as far as they are there."""
    return [path for path in (ATLAS_FILE, BOOK_FILE, *certificates()) if path.is_file()]
