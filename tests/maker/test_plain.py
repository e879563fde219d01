"""Whole games of up to 10 plies: every value, book move, walked move and verdict agrees with plain minimax."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from little_go.book.files.reader import BOOK_UNDECIDED, read_book
from little_go.book.store.store import open_store
from little_go.maker.__main__ import main
from little_go.solver.answer import LEAST, MOST
from little_go.solver.family import Variant
from little_go.solver.position import PASS
from little_go.solver.symmetry import position_of
from tests.solver import minimax
from tests.solver.sanitize import plain_state
from tools.games import drawn

pytestmark = pytest.mark.system

#: After a PASS on a full board no ko is possible.
FULL = "X" * 25

SOURCE = Path(__file__).parents[1] / "solver" / "plain.c"


class Question(NamedTuple):
    """Return whether Black reaches a difference of stones from a position, by plain minimax."""

    state: minimax.State
    goal: int


def after(state: minimax.State, move: int) -> minimax.State:
    found = minimax.after(state, None if move == PASS else move)
    assert found is not None, "the move is not legal"
    return found


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Callable[[set[Question]], dict[Question, bool]]:
    """By goal, the minimax that answers the questions with this goal."""
    if not shutil.which("gcc"):
        pytest.skip("no gcc here: games are not compared with plain minimax")
    program = tmp_path_factory.mktemp("plain") / "plain"
    subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", SOURCE, "-o", program], check=True)

    def judged(questions: set[Question]) -> dict[Question, bool]:
        ordered = sorted(questions, key=lambda question: (question.goal, -question.state.left))
        lines = [f"{q.state.board} {q.state.before or FULL} {q.state.mover} {q.state.left} {q.goal}" for q in ordered]
        done = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True)
        answers = done.stdout.split()
        assert len(answers) == len(ordered)
        return {question: answer == "1" for question, answer in zip(ordered, answers, strict=True)}

    return judged


class Claim(NamedTuple):
    """A statement in a file of a game: the question, the answer, and the file."""

    question: Question
    answer: bool
    source: str


def of_bounds(state: minimax.State, lo: int, hi: int, source: str) -> Iterator[Claim]:
    if lo > LEAST:
        yield Claim(Question(state, lo), True, source)
    if hi < MOST:
        yield Claim(Question(state, hi + 1), False, source)


def of_store(out: Path, game: Variant) -> Iterator[Claim]:
    with open_store(out / "proof.db", game=game) as store:
        for entry in store.entries():
            state, (lo, hi, best, _) = plain_state(entry.position), entry.answer
            yield from of_bounds(state, lo, hi, "store")
            if best is not None:
                kept = entry.answer.mover_end(state.mover == "X")
                yield from of_bounds(after(state, best), kept.lo, kept.hi, "store, best move")


def of_book(out: Path, game: Variant) -> Iterator[Claim]:
    for position, entry in read_book(str(out / "book.json"), game).items():
        if entry.verdict == BOOK_UNDECIDED:
            continue
        state = plain_state(position)
        yield from of_bounds(state, *entry.bounds, "book")
        black_wins = entry.bounds.lo >= game.least
        if black_wins is (state.mover == "X"):
            yield Claim(Question(after(state, entry.move), game.least), black_wins, "book move")


def walked(out: Path) -> Iterator[tuple[minimax.State, int]]:
    """Yield the positions in which the script was called, and its moves."""
    for colour in ("black", "white"):
        _, *lines = (out / f"walked-{colour}").read_text("ascii").splitlines()
        for key, move, *_ in map(json.loads, filter(None, lines)):
            yield plain_state(position_of(key)), move


#: The first game is tested with the system tests. The games of up to 10 plies in BUILDER.md are among these games.
GAMES = [
    (8, 0.5),
    (8, 1.5),
    (10, 0.5),
    *((game.plies, game.komi) for game in drawn(12, 16, 62) if game.plies <= 10),
]


@pytest.mark.parametrize(
    ("plies", "komi"), [GAMES[0], *(pytest.param(*each, marks=pytest.mark.long) for each in GAMES[1:])]
)
def test_a_game_is_what_plain_minimax_says(
    plies: int, komi: float, tmp_path: Path, judge: Callable[[set[Question]], dict[Question, bool]]
) -> None:
    game, out = Variant(plies, komi), tmp_path / "out"
    options = ["--plies", str(plies), "--komi", str(komi), "--out", str(out), "--workers", "2", "--table", "64MiB"]
    done = CliRunner().invoke(main, ["make", *options])
    assert done.exit_code == 0, done.output
    solved = next(
        noted
        for _, step, *rest in map(json.loads, (out / "made.jsonl").read_text().splitlines()[1:])
        for noted in rest
        if step == "solve"
    )
    start = plain_state(game.start)
    claims = [*of_store(out, game), *of_book(out, game)]
    claims += of_bounds(start, solved["value"], solved["value"], "value")
    claims.append(Claim(Question(start, game.least), solved["winner"] == "Black", "verdict"))
    moves = list(walked(out))
    asked = {claim.question for claim in claims}
    asked |= {Question(each, game.least) for state, move in moves for each in (state, after(state, move))}
    answers = judge(asked)
    assert [claim for claim in claims if answers[claim.question] is not claim.answer] == []
    held = 0
    for state, move in moves:
        wins = answers[Question(state, game.least)] is (state.mover == "X")
        keeps = answers[Question(after(state, move), game.least)] is (state.mover == "X")
        assert keeps or not wins, (state, move)
        held += keeps
    assert len(claims) > 20 or plies < 8
    assert held > 50 or plies < 8
    assert held > 0
