"""Read submissions in this process, without the reader's separate process: this is fast and runs the same code."""

import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from little_go.arena.classroom.submission_reader import SubmissionReader
from little_go.arena.classroom.submissions import Submission
from little_go.arena.classroom.unpacking import ReadingTerms, read_submission
from little_go.arena.match.copying import ALLOWED
from little_go.arena.match.limits import Limits, Report

#: The folder in which programs are kept until the tests end.
_FOLDER = tempfile.TemporaryDirectory(prefix="class-read-")

#: Python 3.11 counts the depth of its parser for all threads together, so only one submission is read at a time here.
_ONE = threading.Lock()


class RunnerHere:
    """A runner whose only program is the reading of a submission, in this process."""

    own_cpu = 0.0

    def __init__(self, home: Path) -> None:
        """Store the runner's directory."""
        self.home = home

    def check(self, command: Sequence[str], directory: Path) -> None:
        """Do nothing, because there is no sandbox."""

    def run(self, command: Sequence[str], directory: Path, limits: Limits, shown: Sequence[Path] = ()) -> Report:
        """Read the submission in a directory."""
        with _ONE:
            read_submission(directory)
        return Report(limits, "", 0.0, 0.0)

    def close(self) -> None:
        """Do nothing, because no process was started."""

    def __enter__(self) -> "RunnerHere":
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing, because no process was started."""


@contextmanager
def open_runner_here(sandboxed: bool = False) -> Iterator[RunnerHere]:
    """Yield a runner of this kind; it replaces open_runner()."""
    with tempfile.TemporaryDirectory(prefix="class-reader-") as home:
        yield RunnerHere(Path(home))


def reading(year: int = 2025) -> ReadingTerms:
    """Return the terms of a year without a course file."""
    return ReadingTerms(year, (1, 2), ALLOWED)


def read_here(handed: Submission, year: int = 2025) -> Submission:
    """Return the submission of a student after its files were read."""
    with open_runner_here() as runner:
        return SubmissionReader(reading(year), Path(_FOLDER.name), runner).read(handed)
