"""What the shipped files hold, read once for all tests of a process."""

from functools import cache

from little_go.arena.exam.paper import ExamQuestion, read_paper
from little_go.book.files.puzzles import Puzzle, read_puzzles


@cache
def exam_questions() -> list[ExamQuestion]:
    """Return the questions of the exam that are asked one by one; the list is not to be changed."""
    return read_paper().single


@cache
def exam_games() -> list[ExamQuestion]:
    """Return the questions that are the calls of whole games; the list is not to be changed."""
    return read_paper().whole_games


@cache
def shipped_puzzles() -> list[Puzzle]:
    """Return the puzzles; the list is not to be changed."""
    return read_puzzles()
