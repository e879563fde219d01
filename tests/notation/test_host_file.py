"""The facts that ``input.txt`` shows without the number of plies."""

import pytest

from little_go.notation.host_file import parse_question
from little_go.solver.family import COURSE

EMPTY = "00000\n" * 5
ONE_EACH = "10000\n02000\n" + "00000\n" * 3


@pytest.mark.parametrize(
    ("colour", "before", "now", "least"),
    [
        # No PASS comes before the first ply.
        (1, EMPTY, EMPTY, 0),
        (2, EMPTY, "10000\n" + "00000\n" * 4, 1),
        # Either White has played a stone and then passed, or Black has.
        (1, ONE_EACH, ONE_EACH, 4),
        (2, ONE_EACH, ONE_EACH, 3),
        (1, "10000\n" + "00000\n" * 4, ONE_EACH, 2),
    ],
)
def test_the_least_ply_that_boards_take(colour: int, before: str, now: str, least: int) -> None:
    assert parse_question(f"{colour}\n{before}{now}".encode(), COURSE).least_ply == least
