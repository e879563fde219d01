"""Reading ``input.txt`` strictly and writing ``output.txt`` whole."""

import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.host import OPENING, input_text, judge
from player.files import BadInput, parse_question, read_question, write_move
from solver.position import PASS, move_name

EMPTY = "00000\n" * 5
OPENING_TEXT = "1\n" + EMPTY + EMPTY


def rows(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def test_opening() -> None:
    question = parse_question(OPENING_TEXT.encode())
    assert question.is_opening
    assert question.position(question.least_ply).ply == 0
    assert not question.position(0).passed
    assert question.position(0).pass_ends


def test_final_newline_is_optional() -> None:
    assert parse_question(OPENING_TEXT.encode()) == parse_question(OPENING_TEXT[:-1].encode())


@pytest.mark.parametrize("seed", range(40))
def test_every_question_of_a_random_game(seed: int) -> None:
    rng = random.Random(seed)
    state = OPENING
    while state.result is None:
        position = state.position
        question = parse_question(input_text(state).encode())
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
    question = parse_question(("2\n" + KO_BEFORE + KO_NOW).encode())
    assert question.ko == 6
    assert 6 not in question.position(question.least_ply).legal_moves()


def test_a_pass_lifts_the_ko() -> None:
    question = parse_question(("2\n" + KO_NOW + KO_NOW).encode())
    assert question.ko is None
    assert question.passed


ONE = rows("00000", "00000", "00100", "00000", "00000")
TWO_WHITE = rows("00000", "00000", "00100", "00020", "00002")
NO_LIBERTY = rows("12000", "20000", "00000", "00000", "00000")
CRLF = OPENING_TEXT.replace("\n", "\r\n")

BAD = {
    "empty": (b"", "0 lines"),
    "colour": (OPENING_TEXT.replace("1", "3", 1).encode(), "line 1 is '3'"),
    "colour with blank": (OPENING_TEXT.replace("1", "1 ", 1).encode(), "line 1 is '1 '"),
    "crlf": (CRLF.encode(), "CR"),
    "short row": (OPENING_TEXT.replace("00000", "0000", 1).encode(), "line 2 is '0000'"),
    "long row": (OPENING_TEXT.replace("00000", "000000", 1).encode(), "line 2"),
    "letter": (OPENING_TEXT.replace("00000", "0000x", 1).encode(), "line 2 is '0000x'"),
    "digit 3": (OPENING_TEXT.replace("00000", "00030", 1).encode(), "line 2 is '00030'"),
    "minus": (OPENING_TEXT.replace("00000", "-0000", 1).encode(), "line 2"),
    "missing row": (("1\n" + EMPTY + EMPTY[:-6]).encode(), "10 lines"),
    "extra row": ((OPENING_TEXT + "00000\n").encode(), "12 lines"),
    "extra blank line": ((OPENING_TEXT + "\n").encode(), "12 lines"),
    "leading blank line": (("\n" + OPENING_TEXT).encode(), "12 lines"),
    "binary": (bytes(range(200)), "CR"),
    "not ascii": (OPENING_TEXT.encode().replace(b"0", b"\xb2", 1), "not a text of digits"),
    "bom": (b"\xef\xbb\xbf" + OPENING_TEXT.encode(), "not a text of digits"),
    "utf-16": (OPENING_TEXT.encode("utf-16"), "not a text of digits"),
    "huge": (b"0" * 5000, "too long"),
    "no liberty now": (("1\n" + EMPTY + NO_LIBERTY).encode(), "current board the group at 0,0 has no liberty"),
    "no liberty before": (("1\n" + NO_LIBERTY + NO_LIBERTY).encode(), "previous board the group at 0,0"),
    "own move between": (("1\n" + EMPTY + ONE).encode(), "impossible"),
    "two moves between": (("1\n" + ONE + TWO_WHITE).encode(), "impossible"),
    "a stone vanished": (("1\n" + ONE + EMPTY).encode(), "impossible"),
    "not captured": (("1\n" + ONE + rows("00000", "00200", "00000", "00000", "00000")).encode(), "impossible"),
}


@pytest.mark.parametrize(("content", "complaint"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_in_one_line(content: bytes, complaint: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_question(content)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_capture_that_leaves_the_stones_is_impossible() -> None:
    before = rows("12000", "00000", "00000", "00000", "00000")
    now = rows("12000", "20000", "00000", "00000", "00000")
    with pytest.raises(BadInput, match="liberty"):
        parse_question(("1\n" + before + now).encode())


def test_more_stones_than_plies_are_refused() -> None:
    board = rows("11111", "11111", "11111", "00000", "00000")
    with pytest.raises(BadInput, match="more than 24 plies"):
        parse_question(("1\n" + board + board).encode())


@given(st.binary(max_size=200))
def test_arbitrary_bytes_never_crash(content: bytes) -> None:
    with pytest.raises(BadInput):
        parse_question(content)


@given(st.text("012\n", min_size=50, max_size=70))
def test_arbitrary_digits_never_crash(text: str) -> None:
    with suppress(BadInput):
        parse_question(text.encode())


def test_missing_file_and_directory(tmp_path: Path) -> None:
    for path in (tmp_path / "input.txt", tmp_path):
        with pytest.raises(BadInput, match="cannot be read"):
            read_question(str(path))


def test_output_is_the_move_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "output.txt"
    path.write_text("something much longer than a move\n")
    write_move(str(path), PASS)
    assert path.read_bytes() == b"PASS"
    write_move(str(path), 13)
    assert path.read_bytes() == b"2,3"
    assert list(tmp_path.iterdir()) == [path]
