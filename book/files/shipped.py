"""The places of the shipped files: the results of the project's proofs."""

from pathlib import Path

from runtime.files import MIB, read_text
from runtime.release import shipped

#: The atlas for people: to ply ATLAS_PLY, and each later ply in its own file. A store is made from the first file, as
#: the next one alone would double it.
ATLAS_FILE, ATLAS_PLY = shipped("data/atlas.csv.gz"), 4
LATER_PLIES = {ply: shipped(f"data/atlas_ply{ply}.csv.gz") for ply in (5, 6)}

#: All plies of the atlas, for programs; book.files.values reads it.
VALUES = shipped("data/atlas.values")
BOOK_FILE = shipped("book.json")
CERTIFICATES = shipped("proof/certificates")

#: The files of SHA-256 sums, as sha256sum writes them, beside the certificates and the data.
SUMS = "SHA256SUMS"
_DATA_SUMS = shipped(f"data/{SUMS}")


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
