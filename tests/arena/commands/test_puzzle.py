"""Puzzles at the terminal: right answers, wrong answers with reasons, and leaving."""

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.book.answers.reasons import reason
from little_go.book.files.puzzles import read_puzzles
from little_go.solver.family import COURSE
from little_go.solver.position import move_name

PUZZLES = read_puzzles()
FIRST = PUZZLES[0]


def solve(*entries: str, options: tuple[str, ...] = ()) -> Result:
    return CliRunner().invoke(main, ["puzzle", *options], input="".join(f"{entry}\n" for entry in entries))


def said(result: Result) -> str:
    """Return the printed text with its lines joined."""
    return " ".join(result.stdout.split())


def test_the_answer_is_right_and_told_why() -> None:
    done = solve(move_name(FIRST.answers[0]), "quit")
    assert done.exit_code == 0, done.output
    why = reason(FIRST.position, FIRST.refutation, FIRST.solution, game=COURSE)
    assert f"Right. {100 * FIRST.wrong:.0f} % of opponents go wrong" in said(done)
    assert why.text in said(done)
    assert said(done).endswith("1 of 1 solved at the first try. Continue with little-go puzzle 2")


def test_the_tempting_move_is_refuted_and_the_second_try_does_not_count() -> None:
    done = solve(move_name(FIRST.tempting), "hint", move_name(FIRST.answers[0]), "quit")
    why = reason(FIRST.position, FIRST.refutation, FIRST.solution, game=COURSE)
    assert f"No: {move_name(FIRST.tempting)} loses. {why.worse}" in said(done)
    # The text does not contain the better move.
    before, _, _ = said(done).partition("Right.")
    assert why.better not in before
    assert "0 of 1 solved at the first try" in said(done)


def test_any_other_move_is_refuted_too() -> None:
    number, puzzle = next((n, each) for n, each in enumerate(PUZZLES, 1) if each.position.left < 8)
    wrong = {*puzzle.position.legal_moves()} - {*puzzle.answers, puzzle.tempting}
    done = solve(move_name(min(wrong)), "skip", "quit", options=(str(number),))
    assert f"No: {move_name(min(wrong))} loses. After" in said(done) or "answers" in said(done)
    assert f"{move_name(puzzle.solution[0])} wins." in said(done)


@pytest.mark.parametrize("entries", [("quit",), ("resign",), ()])
def test_leaving_at_once_asks_nothing_of_the_person(entries: tuple[str, ...]) -> None:
    done = solve(*entries)
    assert done.exit_code == 0
    assert said(done).endswith("0 of 0 solved at the first try. Continue with little-go puzzle 1")


def test_only_those_of_a_theme() -> None:
    at, puzzle = next((n, each) for n, each in enumerate(PUZZLES, 1) if "pass" in each.themes)
    done = solve("hint", "PASS", "quit", options=("--theme", "pass"))
    assert f"Puzzle {at}: " in said(done)
    assert f"Theme: {', '.join(puzzle.themes)}." in said(done)
    assert "Right." in said(done)
