"""A mutant: one small change of one source file; equivalent.txt lists those that no test can kill."""

import hashlib
from collections import Counter
from pathlib import Path
from typing import NamedTuple


class Edit(NamedTuple):
    """A change of a source's bytes: those from start to before end are replaced."""

    start: int
    end: int
    new: bytes


class Mutant(NamedTuple):
    """An edit of a file.

    path: of the file, relative to the project. line: its number, from 1. before, after: the text of the edited lines,
        each white space one blank. nth: the number of earlier mutants of the file with the same text.
    """

    path: str
    line: int
    before: str
    after: str
    nth: int
    edit: Edit

    @property
    def key(self) -> str:
        """Return a name that stays the same while the lines around it change."""
        return "\t".join((self.path, self.before, self.after, str(self.nth)))

    def rank(self, seed: int) -> str:
        """Return the sort key of random samples of a seed; a change elsewhere leaves the order unchanged."""
        return hashlib.sha256(f"{seed}\t{self.key}".encode()).hexdigest()

    def __str__(self) -> str:
        return f"{self.path}:{self.line}  {self.before}  ->  {self.after}"


def mutants_from(path: Path, root: Path, edits: list[Edit]) -> list[Mutant]:
    """Return a file's mutants in the order of its lines."""
    source, name = path.read_bytes(), path.relative_to(root).as_posix()
    counts: Counter[tuple[str, str]] = Counter()
    made = []
    for edit in sorted(set(edits)):
        first = source.rfind(b"\n", 0, edit.start) + 1
        last = source.find(b"\n", edit.end)
        lines = source[first : last if last >= 0 else None]
        before = _one_line(lines)
        after = _one_line(apply(lines, edit._replace(start=edit.start - first, end=edit.end - first)))
        line = source.count(b"\n", 0, edit.start) + 1
        made.append(Mutant(name, line, before, after, counts[before, after], edit))
        counts[before, after] += 1
    return made


def apply(source: bytes, edit: Edit) -> bytes:
    """Return the source with an edit. No line moves: a removed text leaves its line breaks."""
    lost = source.count(b"\n", edit.start, edit.end) - edit.new.count(b"\n")
    return source[: edit.start] + edit.new + b"\n" * lost + source[edit.end :]


def _one_line(text: bytes) -> str:
    return " ".join(text.decode("utf-8").split())


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
