"""The places of the files that ship with the project: the results of its proofs."""

from pathlib import Path

from runtime.release import shipped

#: The atlas for people: to ply ATLAS_PLY, and later plies, each in a file of its own. A store is made from the first
#: file, as the next one alone would double it.
ATLAS_FILE, ATLAS_PLY = shipped("data/atlas.csv.gz"), 4
LATER_PLIES = {ply: shipped(f"data/atlas_ply{ply}.csv.gz") for ply in (5, 6)}

#: All plies of the atlas, for programs; book.files.values reads it.
VALUES = shipped("data/atlas.values")
BOOK_FILE = shipped("book.json")
CERTIFICATES = shipped("proof/certificates")

#: In the folder of the certificates: their SHA-256, as sha256sum writes it.
SUMS = "SHA256SUMS"


def certificates() -> list[Path]:
    """Return the certificates, which the checker has proved whole (docs/explanation/SOLUTION.md), by their names."""
    return sorted(CERTIFICATES.glob("*.cert.gz"))


def shipped_files() -> list[Path]:
    """Return those that a store is made from, as far as they are there."""
    return [path for path in (ATLAS_FILE, BOOK_FILE, *certificates()) if path.is_file()]
