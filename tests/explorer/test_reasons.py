"""The page explains mistakes with the same sentences as the command line, and shows the lines on the board."""

import json
import random

import pytest

from little_go.book.answers.reasons import explained, open_oracle
from little_go.notation.record import from_record
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position, move_name, parse_moves, play_all
from tests.explorer.reason_vectors import FILE, MISTAKES, text
from tests.explorer.vectors import PageModules
from tools.browsing import Explorer

#: A game that is almost over. The move 0,0 loses points in its last position.
GAME = "2,2 1,1 2,1 1,2 1,3 0,3 2,3 3,2 3,1 4,2 0,2 4,1 3,3 0,1"


#: How to renew the vectors if Python's reasons have changed.
RENEW = "if the change is meant: python -m tests.explorer.reason_vectors"


@pytest.mark.parametrize("mistakes", [40, pytest.param(MISTAKES, marks=pytest.mark.long)])
def test_the_vectors_are_what_python_says(mistakes: int) -> None:
    """The first lines of the file are equal to lines that a new search finds."""
    lines = FILE.read_text("utf-8").splitlines(keepends=True)
    assert "".join(lines[: 2 * mistakes]) == text(mistakes), RENEW


def test_the_vectors_have_every_kind_of_reason() -> None:
    themes = [json.loads(line)["is"]["theme"] for line in FILE.read_text("utf-8").splitlines()]
    assert len(themes) == 2 * MISTAKES
    kinds = {
        "added stone",
        "answer",
        "area",
        "capture",
        "connection",
        "eye",
        "missed capture",
        "pass",
        "point",
        "tempo",
    }
    assert {*themes} == kinds


def test_the_page_says_the_same_of_all_vectors(page_modules: PageModules) -> None:
    vectors = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    assert page_modules.differences("reasons", vectors) == []


def test_a_mistake_is_explained_when_it_is_played(explorer: Explorer) -> None:
    position = play_all(START, parse_moves(GAME))
    explorer.play(f"{GAME} 0,0")
    explorer.until("!document.querySelector('#reason').hidden")
    assert explorer.text("#reason-text") == said_of(position, 0)
    check_the_lines_are_shown(explorer, position)
    explorer.page.click("#back")
    explorer.until("document.querySelector('#reason').hidden")
    # Now the mouse is over the same move, which is not played.
    explorer.page.hover('[data-point="0,0"]')
    explorer.until("!document.querySelector('#bestline-why').hidden")
    assert explorer.text("#bestline-why") == said_of(position, 0)


@pytest.mark.parametrize("first", ["1,1", "0,0"])
def test_a_first_mistake_is_explained(explorer: Explorer, first: str) -> None:
    explorer.play(first)
    explorer.until("!document.querySelector('#reason').hidden")
    assert explorer.text("#reason-text") == said_of(START, *parse_moves(first))


def check_the_lines_are_shown(explorer: Explorer, position: Position) -> None:
    """The buttons show the line after the mistake and the better line. The user's own line is not lost."""
    for button, first in (("#reason-worse", [0]), ("#reason-better", [])):
        moves = explorer.do(f"explorer.app.verdict.why.{button.removeprefix('#reason-')}")
        explorer.page.click(button)
        explorer.until(f"explorer.app.position.ply === {position.ply + len(first) + 1}")
        explorer.page.click("#to-end")
        assert from_record(explorer.position(), COURSE) == play_all(position, moves)
        explorer.page.click("#mine")
        assert from_record(explorer.position(), COURSE) == position.play(0)
        explorer.until("!document.querySelector('#reason').hidden")


def said_of(position: Position, move: int) -> str:
    found = explained(position, move, open_oracle(), game=COURSE)
    assert found is not None
    return found.reason.text


#: Openings in which the best line used to stay short, and no reason was found.
STUCK = ("2,2 1,3 1,2 0,3 3,3", "2,2 1,1 1,2 2,1 3,3", "2,2 1,1 3,2 4,4", "1,0 2,2 1,4 1,1 0,0", "2,2 1,3 0,3 0,2")


@pytest.mark.parametrize("moves", [*STUCK[:2], *(pytest.param(each, marks=pytest.mark.long) for each in STUCK[2:])])
def test_the_page_does_not_get_stuck(explorer: Explorer, moves: str) -> None:
    check_all_is_found(explorer, parse_moves(moves))


@pytest.mark.parametrize("count", [2, pytest.param(200, marks=pytest.mark.long)])
def test_everywhere_there_is_a_whole_line_and_a_reason(explorer: Explorer, count: int) -> None:
    rng = random.Random(count)
    for _ in range(count):
        position, moves = START, []
        for _ in range(rng.randint(3, 8)):
            moves.append(rng.choice(position.legal_moves()[:-1]))
            position = position.play(moves[-1])
        check_all_is_found(explorer, moves)


def check_all_is_found(explorer: Explorer, moves: list[int]) -> None:
    """The line reaches the end of the game. If the last move is a mistake, it is explained as in Python."""
    explorer.go(f"#moves={'.'.join(map(move_name, moves))}")
    explorer.until("explorer.app.lines.get(explorer.app.position)?.whole")
    *way, last = moves
    found = explained(play_all(START, way), last, open_oracle(), game=COURSE)
    if found is not None:
        explorer.until("!document.querySelector('#reason').hidden")
        assert explorer.text("#reason-text") == found.reason.text
