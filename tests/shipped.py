"""What the shipped files hold, read once for all tests of a process."""

from functools import cache

from arena.exam.paper import ExamQuestion, read_exam
from book.files.puzzles import Puzzle, read_puzzles


@cache
def exam_questions() -> list[ExamQuestion]:
    """Return the questions of the exam; the list is not to be changed."""
    return read_exam()


@cache
def shipped_puzzles() -> list[Puzzle]:
    """Return the puzzles; the list is not to be changed."""
    return read_puzzles()
