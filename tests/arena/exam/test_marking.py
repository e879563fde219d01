"""Programs are called as by the host, for each question in a separate directory, and their answers are marked."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from little_go.arena.exam.marking import ExamCandidate, MarkedAnswer, ask, calls_of, keeps_files, mark_answers
from little_go.arena.exam.outcome import played
from little_go.arena.exam.paper import FORMAT, LEGAL, WIN, ExamQuestion, sittings_of
from little_go.arena.match.host import input_text
from little_go.arena.match.limits import Limits, Reply
from little_go.arena.match.play import state_after
from little_go.arena.standings.entrants import Entrant, Terms
from little_go.notation.host_file import parse_question
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, move_name
from tests.shipped import exam_games, exam_questions

QUESTIONS = exam_questions()

#: A program that answers as listed, by input.txt, in a file next to it.
LISTED = """
import json
answers = json.load(open("book.json"))
open("output.txt", "w").write(answers[open("input.txt").read()])
"""

#: A program that counts its calls in a file, separately for each colour.
COUNTING = """
import os
colour = open("input.txt").read()[:1]
asked = open("asked").read() if os.path.exists("asked") else ""
open("asked", "w").write(asked + colour)
open("output.txt", "w").write("%d,0" % min(asked.count(colour), 4))
"""


def first(theme: str = "", asks: str = WIN) -> ExamQuestion:
    return next(each for each in QUESTIONS if theme in ("", each.theme) and each.asks == asks)


def examinee(folder: Path, source: str, *, with_calls: bool = False, cpu: float = 10.0) -> ExamCandidate:
    (folder / "agent.py").write_text(source)
    path = str(folder / "agent.py")
    return ExamCandidate(Entrant(path, path), Terms(COURSE, Limits(cpu, 60.0), sys.executable), 0, with_calls)


def answer(folder: Path, text: str, question: ExamQuestion, more: str = "", cpu: float = 10.0) -> MarkedAnswer:
    return ask(examinee(folder, f"open('output.txt', 'w').write({text!r})\n{more}", cpu=cpu), [question])[0]


def test_an_accepted_move_is_right(tmp_path: Path) -> None:
    question = first()
    for move in question.accepted[:2]:
        found = answer(tmp_path, move_name(move), question)
        assert (found.is_right, found.move, found.why, found.fault) == (True, move, "", None)
        assert (found.record()["right"], found.record()["better"], found.record()["why"]) == (True, None, None)


def test_a_move_that_loses_is_wrong_and_has_a_reason(tmp_path: Path) -> None:
    question = first()
    move = next(iter(question.lines))
    found = answer(tmp_path, move_name(move), question)
    why = question.why(move)
    assert why is not None
    assert (found.is_right, found.move, found.why) == (False, move, why.text)
    assert found.record()["move"] == move_name(move)
    assert found.record()["better"] in found.record()["accepted"]


def test_a_forbidden_recapture_is_a_fault_with_its_rule(tmp_path: Path) -> None:
    question = next(each for each in QUESTIONS if each.topic == "forbidden recapture")
    assert question.position.ko is not None
    found = answer(tmp_path, move_name(question.position.ko), question)
    assert not found.is_right
    assert found.fault is not None
    assert found.fault.kind == "breaks the ko rule"
    assert found.why.startswith(found.fault.deed)
    assert found.record()["reason"] == "invalid_ko"


def test_a_pass_that_ends_a_lost_game_is_wrong_where_any_legal_move_is_right(tmp_path: Path) -> None:
    question = next(each for each in QUESTIONS if each.topic == "first ply" and not each.way)
    found = answer(tmp_path, "PASS", question)
    assert (found.is_right, found.move, found.why) == (False, PASS, "This PASS ends a lost game.")


def test_an_answer_that_is_none_is_a_fault(tmp_path: Path) -> None:
    question = first(asks=LEGAL)
    assert [answer(tmp_path, text, question).record()["reason"] for text in ("x", "7,7")] == [
        "malformed",
        "invalid_off_board",
    ]
    [missing] = ask(examinee(tmp_path, ""), [question])
    assert (missing.record()["reason"], missing.record()["move"], missing.is_right) == ("missing", None, False)


def test_an_engine_that_resigns_is_wrong() -> None:
    question = first()
    reply = Reply(None, 0.1, absence="resigned")
    found = MarkedAnswer(question, state_after(question.states[-1], reply, strict=False), reply)
    assert (found.is_right, found.move, found.name, found.why) == (False, None, "", "It resigned.")
    assert played(found) == "Resigned"
    assert found.record()["reason"] == "resigned"


def test_an_inexact_answer_costs_the_point_where_the_format_is_asked_and_nowhere_else(tmp_path: Path) -> None:
    of_format, other = first(FORMAT, LEGAL), first()
    found = answer(tmp_path, f" {move_name(of_format.accepted[0])}", of_format)
    assert not found.is_right
    assert "The assignment asks for i,j or PASS" in found.why
    assert answer(tmp_path, f" {move_name(other.accepted[0])}", other).is_right


def test_a_call_that_is_killed_costs_the_point_where_time_is_asked_and_nowhere_else(tmp_path: Path) -> None:
    of_time, other = first(FORMAT, LEGAL), first()
    endless = "import sys\nsys.stdout.flush()\nwhile True: pass"
    found = answer(tmp_path, move_name(of_time.accepted[0]), of_time, f"\n{endless}", cpu=0.2)
    # The file contains the move only if it was closed before the program was killed.
    assert found.reply.killed == "cpu"
    assert not found.is_right
    found = answer(tmp_path, move_name(other.accepted[0]), other, f"\n{endless}", cpu=0.2)
    assert found.is_right is (found.fault is None)


def test_a_question_is_what_the_host_shows(tmp_path: Path) -> None:
    for question in [*QUESTIONS[::9], *exam_games()[::9]]:
        asked = parse_question(input_text(question.states[-1]).encode(), COURSE)
        assert asked.position(question.position.ply) == question.position


def test_an_agent_that_leaves_a_file_is_asked_along_the_game(tmp_path: Path) -> None:
    sitting = sittings_of(exam_games(), whole=True)[0]
    counting = examinee(tmp_path, COUNTING, with_calls=True)
    told = ask(counting, sitting)
    assert [answer.question for answer in told] == sitting
    # Each answer is the number of the calls before it, but at most 4.
    numbers = [len(question.way) // 2 for question in sitting]
    assert [answer.reply.text for answer in told] == [f"{min(number, 4)},0" for number in numbers]
    assert calls_of(sitting) == numbers[-1] + 1
    [alone] = ask(replace(counting, with_calls=False), sitting[-1:])
    assert alone.reply.text == "0,0"


#: Programs that change a file in different ways: only at the first move, only as White, only at the second move, or by
#: changing themselves.
HABITS = {
    "counts": "open('asked', 'a').write('x')",
    "at the first move": "if text.count('1') + text.count('2') <= 2: open('asked', 'w').write('x')",
    "as White": "if text[0] == '2': open('asked', 'w').write('x')",
    "at the second move": "if text[2:].count('1') > 2: open('asked', 'w').write('x')",
    "changes itself": "open('agent.py', 'a').write('#')",
}


@pytest.mark.parametrize("habit", HABITS)
def test_files_of_any_habit_are_seen_at_the_first_moves(tmp_path: Path, habit: str) -> None:
    source = f"text = open('input.txt').read()\n{HABITS[habit]}\nopen('output.txt', 'w').write('PASS')"
    assert keeps_files(examinee(tmp_path, source), COURSE)


def test_an_agent_without_files_keeps_none(tmp_path: Path) -> None:
    assert not keeps_files(examinee(tmp_path, "open('output.txt', 'w').write('PASS')"), COURSE)


def test_a_built_in_agent_keeps_no_files() -> None:
    assert not keeps_files(ExamCandidate(Entrant("greedy", "greedy"), Terms(game=COURSE), 0), COURSE)


def test_every_run_is_the_same() -> None:
    chosen = QUESTIONS[::20]
    runs = [
        [
            each.state.moves[-1]
            for each in mark_answers(ExamCandidate(Entrant("random", "random"), Terms(game=COURSE), 5), chosen, workers)
        ]
        for workers in (1, 2, 2)
    ]
    assert runs[0] == runs[1] == runs[2]
    other = ExamCandidate(Entrant("random", "random"), Terms(game=COURSE), 6)
    assert [each.state.moves[-1] for each in mark_answers(other, chosen, 2)] != runs[0]
