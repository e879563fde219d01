"""Reading ``input.txt``, which tests/notation tests too, and writing ``output.txt`` as a whole."""

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from little_go.arena.match.host import OPENING, input_text, judge
from little_go.notation.faults import NotationError
from little_go.notation.host_file import parse_question
from little_go.player.main import read_question, write_move
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, move_name

EMPTY = "00000\n" * 5
OPENING_TEXT = "1\n" + EMPTY + EMPTY


def rows(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def test_opening() -> None:
    question = parse_question(OPENING_TEXT.encode(), COURSE)
    assert question.is_opening
    assert question.position(question.least_ply).ply == 0
    assert not question.position(0).passed
    assert question.position(0).pass_ends


def test_final_newline_is_optional() -> None:
    assert parse_question(OPENING_TEXT.encode(), COURSE) == parse_question(OPENING_TEXT[:-1].encode(), COURSE)


@pytest.mark.parametrize("seed", range(40))
def test_every_question_of_a_random_game(seed: int) -> None:
    rng = random.Random(seed)
    state = OPENING
    while state.result is None:
        position = state.position
        question = parse_question(input_text(state).encode(), COURSE)
        assert question.position(position.ply) == position
        assert question.colour == position.mover
        assert question.least_ply <= position.ply
        assert question.least_ply % 2 == position.ply % 2
        moves = position.legal_moves()
        move = rng.choice(moves[:-1]) if moves[:-1] and rng.random() < 0.9 else PASS
        state = judge(state, move_name(move))


KO_BEFORE = rows("01200", "12020", "01200", "00000", "00000")
KO_NOW = rows("01200", "10120", "01200", "00000", "00000")


def test_ko_point_follows_from_the_two_boards() -> None:
    question = parse_question(("2\n" + KO_BEFORE + KO_NOW).encode(), COURSE)
    assert question.ko == 6
    assert 6 not in question.position(question.least_ply).legal_moves()


def test_a_pass_lifts_the_ko() -> None:
    question = parse_question(("2\n" + KO_NOW + KO_NOW).encode(), COURSE)
    assert question.ko is None
    assert question.passed


ONE = rows("00000", "00000", "00100", "00000", "00000")
TWO_WHITE = rows("00000", "00000", "00100", "00020", "00002")
NO_LIBERTY = rows("12000", "20000", "00000", "00000", "00000")
CRLF = OPENING_TEXT.replace("\n", "\r\n")

BAD = {
    "empty": (b"", "0 lines"),
    "colour": (OPENING_TEXT.replace("1", "3", 1).encode(), "line 1, column 1: '3' is not a colour"),
    "short row": (OPENING_TEXT.replace("00000", "0000", 1).encode(), "line 2, column 5: '0000'"),
    "long row": (OPENING_TEXT.replace("00000", "000000", 1).encode(), "line 2"),
    "letter": (OPENING_TEXT.replace("00000", "0000x", 1).encode(), "line 2, column 5: '0000x'"),
    "digit 3": (OPENING_TEXT.replace("00000", "00030", 1).encode(), "line 2, column 4: '00030'"),
    "minus": (OPENING_TEXT.replace("00000", "-0000", 1).encode(), "line 2"),
    "missing row": (("1\n" + EMPTY + EMPTY[:-6]).encode(), "10 lines"),
    "binary": (bytes(range(200)), "lines instead of 11"),
    "not ascii": (OPENING_TEXT.encode().replace(b"0", b"\xb2", 1), "line 2, column 1"),
    "utf-16": (OPENING_TEXT.encode("utf-16"), "line 1, column 1"),
}

#: Boards that can be read but cannot occur in a game.
IMPOSSIBLE = {
    "no liberty now": (("1\n" + EMPTY + NO_LIBERTY).encode(), "group at 0,0 on the current board has no liberty"),
    "no liberty before": (("1\n" + NO_LIBERTY + NO_LIBERTY).encode(), "group at 0,0 on the previous board"),
    "own move between": (("1\n" + EMPTY + ONE).encode(), "the last move was the mover's own"),
    "two moves between": (("1\n" + ONE + TWO_WHITE).encode(), "no move of the opponent leads"),
    "a stone vanished": (("1\n" + ONE + EMPTY).encode(), "no move of the opponent leads"),
    "not captured": (
        ("1\n" + ONE + rows("00000", "00200", "00000", "00000", "00000")).encode(),
        "no move of the opponent leads",
    ),
}


@pytest.mark.parametrize(("content", "complaint"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_line(content: bytes, complaint: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_question(content, COURSE)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("content", "complaint"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_boards_that_no_game_shows_are_a_fault_of_the_question(content: bytes, complaint: str) -> None:
    fault = parse_question(content, COURSE).fault
    assert complaint in str(fault)
    assert "\n" not in str(fault)


@pytest.mark.parametrize(
    "content",
    [
        CRLF.encode(),
        OPENING_TEXT.replace("\n", "\r").encode(),
        b"\xef\xbb\xbf" + OPENING_TEXT.encode(),
        OPENING_TEXT.replace("\n", " \t\n").encode(),
        OPENING_TEXT.replace("\n", "\n\n").encode(),
        ("\n" + OPENING_TEXT + "\n").encode(),
        (OPENING_TEXT + "00000\nply 1\n").encode() + bytes(range(128, 256)) * 10_000,
        OPENING_TEXT.replace("1", "01", 1).encode(),
    ],
    ids=["crlf", "cr", "bom", "blanks", "blank lines", "around", "more lines", "01"],
)
def test_what_the_courses_own_code_does_not_mind_is_read(content: bytes) -> None:
    assert parse_question(content, COURSE) == parse_question(OPENING_TEXT.encode(), COURSE)


def test_capture_that_leaves_the_stones_is_impossible() -> None:
    before = rows("12000", "00000", "00000", "00000", "00000")
    now = rows("12000", "20000", "00000", "00000", "00000")
    assert "liberty" in str(parse_question(("1\n" + before + now).encode(), COURSE).fault)


def test_more_stones_than_plies_are_refused() -> None:
    board = rows("11111", "11111", "11111", "00000", "00000")
    assert "24 plies or more" in str(parse_question(("1\n" + board + board).encode(), COURSE).fault)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_never_crash(content: bytes) -> None:
    with pytest.raises(NotationError):
        parse_question(content, COURSE)


@given(st.text("012\n", min_size=50, max_size=70))
def test_arbitrary_digits_never_crash(text: str) -> None:
    with suppress(NotationError):
        parse_question(text.encode(), COURSE)


def test_missing_file_and_directory(tmp_path: Path) -> None:
    for path in (tmp_path / "input.txt", tmp_path):
        with pytest.raises(NotationError, match="cannot be read"):
            read_question(str(path), game=COURSE)


def test_output_is_the_move_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "output.txt"
    path.write_text("something much longer than a move\n")
    write_move(str(path), PASS)
    assert path.read_bytes() == b"PASS"
    write_move(str(path), 13)
    assert path.read_bytes() == b"2,3"
    assert list(tmp_path.iterdir()) == [path]
