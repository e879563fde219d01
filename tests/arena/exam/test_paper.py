"""The exam's file is read as it was written, and each set of accepted moves is exact by the kernel and by minimax."""

import gzip
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from little_go.arena.exam.marking import calls_of
from little_go.arena.exam.paper import (
    BOARD_BEFORE,
    CHANCES,
    EXAM,
    FORMAT,
    LEGAL,
    OTHER_COLOUR,
    PASS_WINS,
    TOPICS,
    VIEWS,
    WIN,
    ExamError,
    ExamQuestion,
    acceptable,
    draw_questions,
    draw_whole_games,
    needs_the_capture,
    read_exam,
    sittings_of,
    write_exam,
)
from little_go.book.answers.reasons import open_oracle
from little_go.solver.answer import BLACK_WINS
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import (
    FULL,
    PASS,
    START,
    Position,
    groups_of,
    move_name,
    neighbours,
    parse_moves,
    play_all,
)
from little_go.solver.symmetry import canonical_key
from tests.shipped import exam_games, exam_questions
from tests.solver import minimax

QUESTIONS, GAMES = exam_questions(), exam_games()
EVERY = [*QUESTIONS, *GAMES]

CALL = "call of a whole game"

#: One question in this number is checked by a search, unless long tests are requested.
SOME = 12


def test_it_reads_as_it_was_written(tmp_path: Path) -> None:
    write_exam(EVERY, tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == EXAM.read_bytes()


def test_a_probability_is_written_with_one_digit_and_an_agent_s_share_with_four(tmp_path: Path) -> None:
    question = replace(QUESTIONS[0], wrong=100 / 3, built_in={"greedy": 2 / 3})
    write_exam([question], tmp_path / "one")
    record = json.loads(gzip.decompress((tmp_path / "one").read_bytes()))
    assert (record["wrong"], record["built_in"]) == (33.3, {"greedy": 0.6667})


def test_every_topic_has_questions_and_no_position_is_asked_twice() -> None:
    topics = Counter((question.theme, question.topic) for question in QUESTIONS)
    plain = {(theme, topic) for theme, topics in TOPICS.items() for topic in topics} - {(FORMAT, CALL)}
    assert set(topics) == plain
    keys = Counter((canonical_key(question.position), question.asks) for question in QUESTIONS)
    assert max(keys.values()) == 1
    assert [question.number for question in QUESTIONS] == list(range(1, len(QUESTIONS) + 1))
    assert 230 <= len(QUESTIONS) <= 270


def test_as_many_calls_as_the_documents_name() -> None:
    text = (Path(__file__).parents[3] / "docs" / "guides" / "EXAM.md").read_text("utf-8").replace("\n", " ")
    games = sittings_of(GAMES, whole=True)
    assert f"on {len(QUESTIONS)} positions" in text
    assert f"{calls_of(GAMES)} calls, which follow {len(games)} logged games" in text
    assert calls_of(GAMES) == len(GAMES)
    for theme in TOPICS:
        single, along = (sum(question.theme == theme for question in part) for part in (QUESTIONS, GAMES))
        assert f"| {theme} | {single} | {along} |" in text


def test_whole_games_ask_at_every_call_of_one_colour() -> None:
    games = sittings_of(GAMES, whole=True)
    assert len(games) >= 20
    assert calls_of(GAMES) <= 2 * len(GAMES)
    assert {game[0].position.mover for game in games} == {1, 2}
    for game in games:
        last = game[-1]
        assert len({question.position.mover for question in game}) == 1
        assert all(question.way == last.way[: len(question.way)] for question in game)
    assert {question.theme for question in GAMES} == set(TOPICS)


def test_views_are_what_the_kernel_says_of_what_is_misread() -> None:
    viewed = [question for question in EVERY if question.views]
    assert {name for question in viewed for name in question.views} == set(VIEWS)
    for question in viewed[::SOME]:
        position, views = question.position, question.views
        if OTHER_COLOUR in views:
            other = position._replace(ko=None, passed=False, ply=position.ply + 1)
            assert list(views[OTHER_COLOUR]) == searched(other)
        if BOARD_BEFORE in views:
            assert list(views[BOARD_BEFORE]) == searched(Position(*question.states[-1].previous, None, position.ply))


def test_a_capture_makes_a_move_legal_where_the_stone_has_no_liberty_before() -> None:
    asked = [question for question in QUESTIONS if question.topic == "capture that makes a move legal"]
    assert len(asked) > 4
    for question in asked:
        position = question.position
        [move] = question.accepted
        mine, empty = (position.black, position.white)[position.mover - 1], FULL & ~(position.black | position.white)
        group = next(each for each in groups_of(mine | 1 << move) if each >> move & 1)
        assert not neighbours(group) & empty & ~(1 << move)
        assert needs_the_capture(position, move)
    assert not needs_the_capture(START, 12)


def test_the_endgames_have_the_plies_left_that_they_name() -> None:
    lefts = [(question.topic, question.position.left) for question in EVERY if question.theme == "endgames"]
    assert lefts
    assert all(topic == f"{left} plies left" for topic, left in lefts)


def test_rules_ask_what_they_say() -> None:
    by_topic: dict[str, list[ExamQuestion]] = {}
    for question in QUESTIONS:
        by_topic.setdefault(question.topic, []).append(question)
    assert all(question.position.ko is not None for question in by_topic["forbidden recapture"])
    for question in by_topic["recapture allowed later"]:
        # Two plies before, ko forbade the same point to the same side.
        assert question.states[-3].position.ko in question.accepted
    for question in by_topic["no move but PASS"]:
        assert question.position.legal_moves() == [PASS]
    assert {question.position.ply for question in by_topic["first ply"]} == {0, 1}
    assert {question.position.left for question in by_topic["last ply"]} == {1}
    boards = Counter(question.position[:2] for question in by_topic["both colours"])
    assert set(boards.values()) == {2}
    heavy = [question.position.ply for question in by_topic["heaviest of its ply"]]
    assert sorted(heavy) == list(range(1, 24))


def test_a_question_for_any_legal_move_accepts_all_but_a_pass_that_loses_at_once() -> None:
    legal = [question for question in EVERY if question.asks == LEGAL]
    assert legal
    for question in legal:
        assert list(question.accepted) == acceptable(question.position, game=COURSE)
    assert PASS not in acceptable(START, game=COURSE)
    assert PASS in acceptable(START.play(12), game=COURSE)


def searched(position: Position) -> list[int]:
    """Return the moves that keep the mover's win, by the kernel."""
    return [move for move in position.legal_moves() if _winner(position.play(move)) == position.mover]


def _winner(position: Position) -> int | None:
    return COURSE.leader(position) if position.is_over else COURSE.winner(_kernel().decide(position, BLACK_WINS))


@cache
def _kernel() -> Kernel:
    return Kernel(open_table(256))


def counted(position: Position, before: Position) -> list[int]:
    """Return the moves that keep the mover's win, by the rules and the minimax in tests/solver/minimax.py."""
    state = minimax.State(_board(position), _board(before), "XO"[position.mover - 1], position.left, position.passed)
    won = [move for move, child in minimax.successors(state) if black_wins(child) is (state.mover == "X")]
    return [PASS if move is None else move for move in won]


def _board(position: Position) -> str:
    return "".join(position.rows()).translate(str.maketrans("012", ".XO"))


@cache
def black_wins(state: minimax.State) -> bool:
    """Return whether Black wins, by plain minimax."""
    if state.left == 0:
        return state.board.count("X") - state.board.count("O") > 2.5
    wanted = state.mover == "X"
    return wanted if any(black_wins(child) is wanted for _, child in minimax.successors(state)) else not wanted


def wins(most_left: int) -> list[ExamQuestion]:
    return [question for question in EVERY if question.asks == WIN and question.position.left <= most_left]


def check(questions: list[ExamQuestion], right: Callable[[ExamQuestion], list[int]]) -> None:
    assert questions
    for question in questions:
        assert sorted(question.accepted) == right(question), f"question {question.number}"


def test_some_accepted_sets_are_exact_by_the_kernel() -> None:
    check(wins(14)[::SOME], lambda question: searched(question.position))


@pytest.mark.long
def test_all_accepted_sets_are_exact_by_the_kernel() -> None:
    check(wins(24), lambda question: searched(question.position))


def by_minimax(question: ExamQuestion) -> list[int]:
    return counted(question.position, Position(*question.states[-1].previous))


def test_accepted_sets_near_the_end_are_exact_by_minimax() -> None:
    check(wins(4), by_minimax)
    check([each for each in wins(6) if each.position.left > 4][::SOME], by_minimax)


@pytest.mark.long
def test_accepted_sets_up_to_ten_plies_left_are_exact_by_minimax() -> None:
    check(wins(10), by_minimax)


def test_white_has_a_chance_where_blacks_last_move_gave_the_win_away() -> None:
    judge = open_oracle()
    for question in [each for each in EVERY if each.theme == CHANCES][::4]:
        before = play_all(START, question.way[:-1])
        assert question.position.mover == 2
        assert judge.reaches(before, BLACK_WINS)
        assert not judge.reaches(question.position, BLACK_WINS)


def test_where_pass_wins_nothing_else_does() -> None:
    passes = [question for question in EVERY if question.theme == PASS_WINS]
    assert passes
    for question in passes:
        assert question.accepted == (PASS,)
        assert len(question.position.legal_moves()) > 1


def test_the_lines_go_to_the_end_and_one_side_wins_each() -> None:
    for question in EVERY:
        mover = question.position.mover
        for worse, better in question.lines.values():
            ends = [play_all(question.position, line) for line in (worse, better)]
            assert [end.is_over for end in ends] == [True, True]
            assert [COURSE.leader(end) for end in ends] == [3 - mover, mover], question.number


def test_reasons_are_told_without_a_search() -> None:
    for question in EVERY[::SOME]:
        for move in question.position.legal_moves():
            why = question.why(move)
            assert (why is None) is (move in question.accepted or question.asks == LEGAL)
            assert question.better(move) in question.accepted


def test_a_drawn_exam_has_something_of_every_theme() -> None:
    some = draw_questions(QUESTIONS, 20, 3)
    assert len(some) == 20
    assert {question.theme for question in some} == set(TOPICS)
    assert some == draw_questions(QUESTIONS, 20, 3) != draw_questions(QUESTIONS, 20, 4)
    assert some == sorted(some, key=lambda question: question.number)
    assert draw_questions(QUESTIONS, None, 0) == draw_questions(QUESTIONS, 1000, 0) == QUESTIONS


def test_games_are_drawn_whole_as_far_as_questions_are_wanted() -> None:
    some = draw_whole_games(GAMES, 20, 3)
    assert len(some) == 20
    assert len({question.sitting for question in some}) <= 3
    assert some == draw_whole_games(GAMES, 20, 3) != draw_whole_games(GAMES, 20, 5)
    assert draw_whole_games(GAMES, None, 3) == GAMES


def changed(**fields: Any) -> bytes:
    """Return a file with one question, in which some fields are changed."""
    wanted = next(question for question in QUESTIONS if question.asks == WIN)
    record = json.loads(gzip.decompress(EXAM.read_bytes()).decode().splitlines()[wanted.number - 1])
    return json.dumps(record | fields).encode()


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"{}", "line 1: not a question: the field 'lines' is missing"),
        (b"[]", "line 1: not a question: a value has the wrong type"),
        (b"nonsense", "line 1: not JSON"),
        (b"\xff", "cannot be read"),
        (changed(theme="chess"), "do not belong together"),
        (changed(asks="luck"), "do not belong together"),
        (changed(moves="2,2 2,2"), "break the rules"),
        (changed(accepted=""), "not legal"),
        (changed(lines={}), "one pair of lines"),
    ],
)
def test_a_broken_file_costs_one_line(tmp_path: Path, content: bytes, fault: str) -> None:
    (tmp_path / "exam").write_bytes(content)
    with pytest.raises(ExamError, match=fault):
        read_exam(tmp_path / "exam")


def game_of_questions(*changes: dict[str, Any]) -> bytes:
    """Return a file with the first questions of a whole game, in which some fields are changed."""
    numbers = [question.number for question in sittings_of(GAMES, whole=True)[0]]
    lines = gzip.decompress(EXAM.read_bytes()).decode().splitlines()
    records = [json.loads(lines[number - 1]) for number in numbers]
    return b"".join(
        json.dumps(record | change).encode() + b"\n" for record, change in zip(records, changes, strict=False)
    )


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (game_of_questions({"number": 5}, {"number": 5}), "its number, 5, is not above 5, the number of the"),
        (game_of_questions({"number": 5}, {"number": 4}), "its number, 4, is not above 5, the number of the"),
        (game_of_questions({"number": 0}), "its number, 0, is not above 0, the number of the"),
        (game_of_questions({}, {"sitting": 77}, {}, {"sitting": 1}), ""),
    ],
)
def test_questions_have_ascending_numbers(tmp_path: Path, content: bytes, fault: str) -> None:
    (tmp_path / "exam").write_bytes(content)
    if fault:
        with pytest.raises(ExamError, match=fault):
            read_exam(tmp_path / "exam")
    else:
        assert len(read_exam(tmp_path / "exam")) == 4


@pytest.mark.parametrize("same", [False, True])
def test_the_questions_of_a_sitting_are_of_one_game(tmp_path: Path, same: bool) -> None:
    """Otherwise two answers would be of one call, or an answer would be of another position."""
    first, second, *_ = sittings_of(GAMES, whole=True)
    chosen = [
        first[0],
        first[1],
        first[1] if same else next(each for each in second if len(each.way) > len(first[1].way)),
    ]
    lines = gzip.decompress(EXAM.read_bytes()).decode().splitlines()
    records = [json.loads(lines[question.number - 1]) for question in chosen]
    text = "".join(json.dumps(record | {"number": at, "sitting": 9}) + "\n" for at, record in enumerate(records, 1))
    (tmp_path / "exam").write_text(text)
    with pytest.raises(ExamError, match="line 3: not a question: its moves do not continue the game of sitting 9"):
        read_exam(tmp_path / "exam")


def test_an_accepted_move_must_be_legal(tmp_path: Path) -> None:
    ko = next(question for question in QUESTIONS if question.topic == "forbidden recapture")
    record = json.loads(gzip.decompress(EXAM.read_bytes()).decode().splitlines()[ko.number - 1])
    assert ko.position.ko is not None
    record["accepted"] = move_name(ko.position.ko)
    (tmp_path / "exam").write_text(json.dumps(record))
    with pytest.raises(ExamError, match="not legal"):
        read_exam(tmp_path / "exam")
    assert parse_moves(record["moves"]) == list(ko.way)
