"""The contents of shipped files, read once for all tests of a process."""

from functools import cache

from little_go.arena.exam.paper import ExamQuestion, read_paper
from little_go.book.files.puzzles import Puzzle, read_puzzles


@cache
def exam_questions() -> list[ExamQuestion]:
    """Return the questions of the exam that are asked separately. Do not change the list."""
    return read_paper().single


@cache
def exam_games() -> list[ExamQuestion]:
    """Return the questions that are calls of whole games. Do not change the list."""
    return read_paper().whole_games


@cache
def shipped_puzzles() -> list[Puzzle]:
    """Return the puzzles. Do not change the list."""
    return read_puzzles()
