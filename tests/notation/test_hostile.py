"""The cost of a text is proportional to its length, and no answer has several lines (tests/notation/hostile.py)."""

import json
import subprocess
import sys
import time
from typing import Any

import pytest

from tests.explorer.vectors import PageModules
from tests.notation.hostile import READ, SIZE, TEXTS

#: The maximum cost of a text, as a number of plain Python loops over a text of SIZE characters. A reader that
#: backtracks takes thousands.
MOST_LOOPS = 150
#: The maximum length of a message.
LONGEST = 300


def cpu_of_a_loop() -> float:
    text = "x" * SIZE
    before = time.process_time()
    assert sum(sign == "\0" for sign in text) == 0
    return time.process_time() - before


def faults(answers: list[dict[str, Any]]) -> list[Any]:
    """Return the answers that are too long, too slow or not a refusal."""
    most = MOST_LOOPS * max(cpu_of_a_loop() for _ in range(3))
    return [
        (text.piece, answer)
        for text, answer in zip(TEXTS, answers, strict=True)
        if answer["cpu"] > most
        or "\n" in answer["said"]
        or len(answer["said"]) > LONGEST
        or (answer["said"] == READ and not text.may_be_read)
    ]


@pytest.fixture(scope="module")
def of_python() -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.notation.hostile"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def of_page(page_modules: PageModules) -> list[dict[str, Any]]:
    texts = [[text.begin, text.piece, text.times, text.end] for text in TEXTS]
    return page_modules.ask("hostile", texts)


def test_python_refuses_each_in_a_line_and_little_time(of_python: list[dict[str, Any]]) -> None:
    assert faults(of_python) == []
    assert [answer for answer in of_python if answer["said"].startswith("raised")] == []


def test_the_page_refuses_each_in_a_line_and_little_time(of_page: list[dict[str, Any]]) -> None:
    assert faults(of_page) == []


def test_no_text_makes_the_page_s_reader_fail(of_page: list[dict[str, Any]]) -> None:
    assert [answer for answer in of_page if answer["said"].startswith("raised")] == []
