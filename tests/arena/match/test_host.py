"""Every rule and quirk of the course's host: a table with a row for each game, and properties of all games."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from little_go.arena.match.host import OPENING, GameOver, State, describe, forfeit, input_text, judge, score
from little_go.solver.family import COURSE
from little_go.solver.position import OCCUPIED, Position, move_name
from tests.arena.helpers import after, reason, states, winner

#: Black captures the stone at 1,1 with the last move. White may not recapture at once.
KO = "0,1 0,2 1,0 1,3 2,1 2,2 4,4 1,1 1,2"

#: Black captures the two stones in the corner from 0,2, where Black's stone has no other liberty.
TWO_TAKEN = "1,0 0,0 1,1 0,1 4,4 1,2 4,3 0,3 0,2"

#: Black plays twelve points row by row, and White passes each time. The last ply of the game is missing.
LONG = " ".join(f"{point // 5},{point % 5} PASS" for point in range(12))
PLY_23 = LONG.removesuffix(" PASS")

#: The properties of a game that a row can contain, by keyword.
SEEN: dict[str, Callable[[State], Any]] = {
    "mover": lambda state: state.position.mover,
    "ply": lambda state: state.position.ply,
    "count": lambda state: len(state.moves),
    "last": lambda state: state.moves[-1],
    "reason": lambda state: state.result and reason(state),
    "winner": lambda state: state.result and winner(state),
    "score": lambda state: score(state.position, game=COURSE),
    "ko": lambda state: state.position.ko,
    "position": lambda state: state.position,
    "rows": lambda state: state.position.rows(),
    "top": lambda state: state.position.rows()[0],
    "second": lambda state: state.position.rows()[1],
    "left": lambda state: "".join(row[0] for row in state.position.rows()),
    "unchanged": lambda state: state.previous == (state.position.black, state.position.white),
    "words": describe,
}


def game(name: str, moves: str, **expected: Any) -> Any:
    return pytest.param(moves, expected, id=name)


GAMES = [
    # Plies and the end of the game
    game("Black starts", "", mover=1, ply=0),
    game("colours alternate", "2,2", mover=2),
    game("and again", "2,2 1,1", mover=1),
    game("a PASS is a ply", "2,2 PASS", ply=2, mover=1, reason=None),
    game("ply 23 does not end it, and White has the last ply", PLY_23, ply=23, mover=2, reason=None),
    game("ply 24 ends it", LONG, count=24, reason="max", winner=1),
    game("a stone on the last ply counts", f"{PLY_23} 4,4", score=(12, 3.5), reason="max"),
    game("Black's PASS on the first ply ends it", "PASS", reason="two_passes", winner=2, score=(0, 2.5)),
    game("a PASS answered by a PASS ends it", "2,2 1,1 PASS PASS", reason="two_passes", count=4),
    game("White's too", "2,2 PASS PASS", reason="two_passes"),
    game("PASS, move, PASS does not", "2,2 PASS 1,1 PASS 3,3 PASS", reason=None),
    game("two at plies 23 and 24", " ".join(LONG.split()[:21]) + " 4,4 PASS PASS", reason="max"),
    game("the board stays", "2,2 1,1 PASS PASS", position=Position(1 << 12, 1 << 6, None, 24, True)),
    # Scores
    game("stones and komi", "2,2 1,1 3,3", score=(2, 3.5)),
    game("no surrounded points", "0,1 PASS 1,0 PASS 1,1", score=(3, 2.5)),
    *(
        game(f"{stones} stones more", " ".join(f"0,{j} PASS" for j in range(stones)) + " PASS", winner=1 + (stones < 3))
        for stones in (1, 2, 3, 4)
    ),
    # Captures, suicide and ko
    game("a stone without a liberty is taken", "0,1 0,0 1,0", rows=["01000", "10000", "00000", "00000", "00000"]),
    game("two groups at once", "0,1 0,0 2,0 4,4 1,1 3,0 3,1 4,3 4,0 3,4 1,0", left="01101"),
    game("a capture may fill the last own liberty", TWO_TAKEN, reason=None, top="00120"),
    game("suicide of one stone", "0,1 4,4 1,0 0,0", reason="invalid_suicide", winner=1),
    game("suicide of a group", "0,1 0,0 1,1 4,4 2,0 1,0", reason="invalid_suicide", winner=1),
    game("occupied by the opponent", "2,2 2,2", reason="invalid_occupied", winner=1, count=2, last="2,2"),
    game("occupied by an own stone", "2,2 1,1 2,2", reason="invalid_occupied", winner=2),
    game("ko, and the board stays", f"{KO} 1,1", reason="invalid_ko", winner=1, position=after(KO).position),
    game("ko is lifted after a PASS", f"{KO} PASS 4,3 1,1", reason=None, second="12020"),
    game("no ko right after a PASS", f"{KO} PASS", ko=None, unchanged=True),
    game("ko may be taken after a move elsewhere", f"{KO} 4,3 3,3 1,1", reason=None, second="12020"),
    game("one of two stones taken back", f"{TWO_TAKEN} 0,1", reason=None, top="02020"),
    # Texts for people
    game("words: a PASS", "2,2 PASS", words="ply 2: White passes"),
    game("words: a stone is taken", "0,1 0,0 1,0", words="ply 3: Black plays 1,0 and takes 1 stone"),
    game(
        "words: three stones",
        "0,1 0,0 2,1 2,0 3,1 3,0 4,0 4,4 1,0",
        words="ply 9: Black plays 1,0 and takes 3 stones",
    ),
    game("words: a rule is broken", "2,2 2,2", words=f"Black wins (invalid_occupied: 2,2 is {OCCUPIED})"),
]


@pytest.mark.parametrize(("moves", "expected"), GAMES)
def test_a_game_is_judged(moves: str, expected: dict[str, Any]) -> None:
    state = after(moves)
    assert {name: SEEN[name](state) for name in expected} == expected


def test_words_for_a_pass_without_a_result_and_for_a_game_resigned() -> None:
    assert describe(after("2,2 PASS PASS")._replace(result=None)) == "ply 3: Black passes"
    assert describe(forfeit(OPENING, "resigned", "")) == "White wins (resigned)"


def test_no_move_after_the_end() -> None:
    with pytest.raises(GameOver):
        judge(after("PASS"), "2,2")
    with pytest.raises(GameOver):
        forfeit(after("PASS"), "missing", "")


@given(states())
def test_a_game_ended_by_passes_has_the_winner_of_its_score(state: State) -> None:
    ended = judge(state, "PASS")
    if ended.result is None:
        ended = judge(ended, "PASS")
    black, white = score(ended.position, game=COURSE)
    assert winner(ended) == (1 if black > white else 2)


def _reason_by_the_letter(board: str, previous: str, colour: str, point: int) -> str | None:
    """Return the rule that a move breaks, on boards of 25 digits, by the words of the assignment."""
    if board[point] != "0":
        return "invalid_occupied"
    other = "3" if colour == "0" else str(3 - int(colour))
    placed = board[:point] + colour + board[point + 1 :]
    dead = {p for p in range(25) if placed[p] == other and not _breathes(placed, p)}
    left = "".join("0" if p in dead else digit for p, digit in enumerate(placed))
    if not _breathes(left, point):
        return "invalid_suicide"
    return "invalid_ko" if left == previous else None


def _breathes(board: str, point: int) -> bool:
    group, todo = {point}, [point]
    while todo:
        i, j = divmod(todo.pop(), 5)
        for r, c in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= r < 5 and 0 <= c < 5:
                near = 5 * r + c
                if board[near] == "0":
                    return True
                if board[near] == board[point] and near not in group:
                    group.add(near)
                    todo.append(near)
    return False


@settings(deadline=None)
@given(states())
def test_every_point_is_judged_by_the_letter_of_the_rules(state: State) -> None:
    colour, *rows = input_text(state).split("\n")
    previous, board = "".join(rows[:5]), "".join(rows[5:])
    for point in range(25):
        broken = _reason_by_the_letter(board, previous, colour, point)
        judged = judge(state, move_name(point)).result
        if broken is None:
            assert judged is None or judged.reason == "max"
        else:
            assert judged is not None
            assert (judged.reason, judged.winner) == (broken, 3 - state.position.mover)


@given(states())
def test_pass_ends_the_game_when_the_previous_board_equals_the_current(state: State) -> None:
    same = state.previous == (state.position.black, state.position.white)
    last_ply = state.position.ply == 23
    assert (judge(state, "PASS").result is not None) == (same or last_ply)


# The text of output.txt


@pytest.mark.parametrize("text", ["2,3", "2,3\n", "2,3\r\n", " 2,3 ", "2,3\n\n", "2,3\nPASS", "2,3\ngarbage"])
def test_only_the_first_line_counts_and_blanks_around_it_do_not(text: str) -> None:
    assert judge(OPENING, text).moves == ("2,3",)


@pytest.mark.parametrize("text", ["PASS", "PASS\n", "PASS "])
def test_pass_may_end_with_a_newline(text: str) -> None:
    assert judge(after("2,2"), text).moves == ("2,2", "PASS")


@pytest.mark.parametrize("text", ["", "pass", "2", "2;3", "a,b", "C3", "\x00"])
def test_malformed_output_loses(text: str) -> None:
    state = judge(after("4,4"), text)
    assert (reason(state), winner(state), state.moves) == ("malformed", 1, ("4,4",))


def test_what_is_not_to_the_letter_is_played_and_marked() -> None:
    state = after("PASS", judge(judge(OPENING, "2,2"), " 02, 1"))
    assert state.moves == ("2,2", "2,1", "PASS")
    assert state.inexact == ((2, " 02, 1"),)


@pytest.mark.parametrize("text", [" 2,1", "2,1,7", "PASS,", "2,1\r\n", "5, 5"])
def test_strict_refuses_what_is_not_to_the_letter(text: str) -> None:
    state = judge(after("4,4"), text, strict=True)
    assert (reason(state), winner(state), state.moves) == ("malformed", 1, ("4,4",))


@pytest.mark.parametrize("text", ["5,0", "0,5", "-1,0", "0,-1", "10,10", "123456,0", "999999999,0"])
def test_point_off_the_board_loses(text: str) -> None:
    state = judge(OPENING, text)
    assert (reason(state), winner(state), state.moves) == ("invalid_off_board", 2, (text,))


@given(st.text("0123456789,-+PASpas \n\r\t\x00\u00e9", max_size=8))
def test_any_text_is_judged(text: str) -> None:
    state = judge(OPENING, text)
    assert state.result is None or state.result.winner == 2


@pytest.mark.parametrize("why", ["missing", "timeout", "resigned"])
def test_player_without_an_answer_loses_at_once(why: str) -> None:
    state = forfeit(after("2,2"), why, "")
    assert (reason(state), winner(state), state.moves) == (why, 1, ("2,2",))


# The text of input.txt


def test_input_at_the_start_is_all_zeros_without_a_final_newline() -> None:
    assert input_text(OPENING) == "1" + "\n00000" * 10


def test_input_for_white_at_ply_2_has_an_empty_previous_board() -> None:
    assert input_text(after("2,2")) == "2" + "\n00000" * 7 + "\n00100" + "\n00000" * 2


def test_previous_board_is_the_one_after_the_players_own_last_move() -> None:
    text = input_text(after("2,2 1,1"))
    assert text == "1" + "\n00000" * 2 + "\n00100" + "\n00000" * 3 + "\n02000" + "\n00100" + "\n00000" * 2


def test_previous_board_equals_the_current_after_a_pass() -> None:
    lines = input_text(after("2,2 1,1 PASS")).split("\n")
    assert lines[1:6] == lines[6:]


@given(states())
def test_previous_board_is_the_board_one_ply_ago(state: State) -> None:
    before = after(" ".join(state.moves[:-1])).position
    assert state.previous == (before.black, before.white)
