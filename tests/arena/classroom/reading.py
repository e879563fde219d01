"""Submissions read in this process, without the fence's own process: quick, and of the same code."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.classroom.exports import StudentFiles
from arena.classroom.fence import SubmissionReader
from arena.classroom.submissions import Submission
from arena.classroom.unpacking import ReadingTerms, read_submission
from arena.match.copying import ALLOWED
from arena.match.limits import Limits, Report

#: Where programs are kept until the tests end.
_FOLDER = tempfile.TemporaryDirectory(prefix="class-read-")


class RunnerHere:
    """A runner whose one program is the reading of a submission, in this process."""

    own_cpu = 0.0

    def __init__(self, home: Path) -> None:
        """home: its directory."""
        self.home = home

    def check(self, command: Sequence[str], directory: Path) -> None:
        """Do nothing: there is no sandbox."""

    def run(self, command: Sequence[str], directory: Path, limits: Limits, shown: Sequence[Path] = ()) -> Report:
        """Read the submission in a directory."""
        read_submission(directory)
        return Report(limits, "", 0.0, 0.0)

    def close(self) -> None:
        """Do nothing."""

    def __enter__(self) -> "RunnerHere":
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing."""


@contextmanager
def open_runner_here(sandboxed: bool = False) -> Iterator[RunnerHere]:
    """Yield a runner, in place of open_runner()."""
    with tempfile.TemporaryDirectory(prefix="class-reader-") as home:
        yield RunnerHere(Path(home))


def reading(year: int = 2025) -> ReadingTerms:
    """Return a year's terms, without a course file."""
    return ReadingTerms(year, (1, 2), ALLOWED)


def read_here(handed: StudentFiles, year: int = 2025) -> Submission:
    """Return what a student has handed in, as it is graded."""
    with open_runner_here() as runner:
        return SubmissionReader(reading(year), Path(_FOLDER.name), runner).read(handed)
