"""Mutants that people have judged: no test can kill them, for a reason that stands in equivalent.txt.

An entry is the file, the line before after ``- ``, the line with the change after ``+ ``, and the reason in one line or
more; a blank line ends it. ``FILE #2`` is the second of those in a file that read the same. An entry holds as long as
the file has the line with the same text.
"""

from pathlib import Path

EQUIVALENT = "equivalent"

FILE = Path("tools", "mutants", "equivalent.txt")


def read_equivalent(root: Path) -> dict[str, str]:
    """Return the reasons by the mutants' keys; raises ValueError for an entry without one."""
    file = root / FILE
    entries = file.read_text("utf-8").split("\n\n") if file.exists() else []
    return dict(_parse(entry.strip()) for entry in entries if entry.strip() and not entry.startswith("#"))


def _parse(entry: str) -> tuple[str, str]:
    path, before, after, *reason = entry.splitlines()
    if not (before.startswith("- ") and after.startswith("+ ") and reason):
        raise ValueError(f"{FILE}: an entry is a file, a line after '- ', one after '+ ', and a reason: {entry}")
    name, _, number = path.partition(" #")
    return "\t".join((name, before[2:], after[2:], str(int(number or 1) - 1))), " ".join(reason)
