"""The exam of another game: its questions are about that game, and their accepted moves agree with plain minimax."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.games import exam_maker
from lab.games.exam_maker import Examiner
from little_go.arena.__main__ import main as arena_main
from little_go.arena.exam.paper import RULES, WIN, ExamError, read_exam, write_exam
from little_go.solver.family import Variant
from little_go.solver.position import PASS
from tests.solver import minimax

pytestmark = pytest.mark.system

GAME = Variant(8, 0.5)


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exam") / "exam.jsonl.gz"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exam_maker, "_GAMES", 40)
        write_exam(Examiner(3, GAME).draw(), path)
    return path


def test_accepted_moves_are_those_that_plain_minimax_accepts(paper: Path) -> None:
    questions, compared = read_exam(paper), 0
    assert {question.game for question in questions} == {GAME}
    assert len({question.theme for question in questions}) >= 5
    for question in questions:
        state = minimax.START._replace(left=GAME.plies)
        for move in question.way:
            after = minimax.after(state, None if move == PASS else move)
            assert after is not None
            state = after
        if question.asks != WIN or state.left > 3:
            continue
        compared += 1
        right = {
            PASS if move is None else move
            for move, child in minimax.successors(state)
            if (minimax.value(child) > GAME.komi) == (state.mover == "X")
        }
        assert set(question.accepted) == right
        assert set(question.lines) == set(question.position.legal_moves()) - right
    assert compared > 5


def test_an_agent_is_asked_in_that_game(paper: Path) -> None:
    done = CliRunner().invoke(arena_main, ["exam", "championship", "--paper", str(paper), "--theme", RULES])
    assert done.exit_code == 0, done.output
    asked = [question for question in read_exam(paper) if question.theme == RULES]
    assert f"{RULES}  " in done.stdout
    assert f"{len(asked)} of {len(asked)}" in done.stdout


def test_questions_of_two_games_are_refused(paper: Path, tmp_path: Path) -> None:
    first, *rest = read_exam(paper)
    course = next(question for question in read_exam() if question.asks == WIN)
    write_exam([replace(course, number=first.number), *rest], tmp_path / "mixed")
    with pytest.raises(ExamError, match=r"several games: 24 plies, komi 2\.5; 8 plies, komi 0\.5"):
        read_exam(tmp_path / "mixed")
    assert first.game == GAME
