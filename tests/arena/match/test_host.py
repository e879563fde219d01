"""Every rule and quirk of the course's host, a test for each."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.match.host import OPENING, GameOver, State, describe, forfeit, input_text, judge, score
from solver.family import COURSE
from solver.position import PASS, Position, move_name
from tests.arena.helpers import after, reason, states, winner

#: Black takes 1,1 with the last move; White may not take back at once.
KO = "0,1 0,2 1,0 1,3 2,1 2,2 4,4 1,1 1,2"

#: Black takes the two stones in the corner from 0,2, where it has no other liberty.
TWO_TAKEN = "1,0 0,0 1,1 0,1 4,4 1,2 4,3 0,3 0,2"

#: Black plays twelve points row by row, White passes each time.
LONG = " ".join(f"{point // 5},{point % 5} PASS" for point in range(12))


# Plies and the end of the game


def test_black_starts_and_colours_alternate() -> None:
    assert OPENING.position.mover == 1
    assert after("2,2").position.mover == 2
    assert after("2,2 1,1").position.mover == 1


def test_a_pass_is_a_ply() -> None:
    assert after("2,2 PASS").position.ply == 2
    assert after("2,2 PASS").position.mover == 1


def test_game_goes_on_until_ply_24_is_played() -> None:
    state = after(LONG.rsplit(" ", 1)[0])
    assert (state.position.ply, state.result) == (23, None)


def test_game_ends_after_ply_24() -> None:
    state = after(LONG)
    assert (len(state.moves), reason(state), winner(state)) == (24, "max", 1)


def test_white_has_the_last_ply() -> None:
    assert after(LONG.rsplit(" ", 1)[0]).position.mover == 2


def test_white_stone_on_the_last_ply_counts() -> None:
    state = after(LONG.rsplit(" ", 1)[0] + " 4,4")
    assert score(state.position, game=COURSE) == (12, 3.5)


def test_black_pass_on_the_first_ply_ends_the_game_and_white_wins() -> None:
    state = after("PASS")
    assert (reason(state), winner(state), score(state.position, game=COURSE)) == ("two_passes", 2, (0, 2.5))


def test_white_pass_on_its_first_ply_does_not_end_the_game() -> None:
    assert after("2,2 PASS").result is None


def test_pass_answered_by_pass_ends_the_game() -> None:
    state = after("2,2 1,1 PASS PASS")
    assert (reason(state), len(state.moves)) == ("two_passes", 4)


def test_white_pass_answered_by_black_pass_ends_the_game() -> None:
    assert reason(after("2,2 PASS PASS")) == "two_passes"


def test_pass_move_pass_does_not_end_the_game() -> None:
    assert after("2,2 PASS 1,1 PASS 3,3 PASS").result is None


def test_two_passes_at_plies_23_and_24_end_by_the_ply_limit() -> None:
    plies = LONG.split()[:21]
    assert reason(after(" ".join(plies) + " 4,4 PASS PASS")) == "max"


def test_no_move_after_the_end() -> None:
    with pytest.raises(GameOver):
        judge(after("PASS"), "2,2")
    with pytest.raises(GameOver):
        forfeit(after("PASS"), "missing", "")


# Scores


def test_score_counts_stones_and_gives_white_komi() -> None:
    assert score(after("2,2 1,1 3,3").position, game=COURSE) == (2, 3.5)


def test_score_does_not_count_surrounded_points() -> None:
    assert score(after("0,1 PASS 1,0 PASS 1,1").position, game=COURSE) == (3, 2.5)


@pytest.mark.parametrize(("stones", "who"), [(1, 2), (2, 2), (3, 1), (4, 1)])
def test_black_needs_three_stones_more_and_there_are_no_ties(stones: int, who: int) -> None:
    moves = " ".join(f"0,{j} PASS" for j in range(stones))
    assert winner(after(moves + " PASS")) == who


@given(states())
def test_a_game_ended_by_passes_has_the_winner_of_its_score(state: State) -> None:
    ended = judge(state, "PASS")
    if ended.result is None:
        ended = judge(ended, "PASS")
    black, white = score(ended.position, game=COURSE)
    assert winner(ended) == (1 if black > white else 2)


# Captures, suicide and ko


def test_stones_without_a_liberty_are_taken_off() -> None:
    state = after("0,1 0,0 1,0")
    assert state.position.rows() == ["01000", "10000", "00000", "00000", "00000"]


def test_two_groups_can_be_taken_at_once() -> None:
    state = after("0,1 0,0 2,0 4,4 1,1 3,0 3,1 4,3 4,0 3,4 1,0")
    assert [row[0] for row in state.position.rows()] == ["0", "1", "1", "0", "1"]


def test_capture_that_fills_the_last_own_liberty_is_legal() -> None:
    state = after(TWO_TAKEN)
    assert state.result is None
    assert state.position.rows()[0] == "00120"


def test_suicide_of_one_stone_loses() -> None:
    state = after("0,1 4,4 1,0 0,0")
    assert (reason(state), winner(state)) == ("invalid_suicide", 1)


def test_suicide_of_a_group_loses() -> None:
    state = after("0,1 0,0 1,1 4,4 2,0 1,0")
    assert (reason(state), winner(state)) == ("invalid_suicide", 1)


def test_occupied_by_the_opponent_loses() -> None:
    state = after("2,2 2,2")
    assert (reason(state), winner(state)) == ("invalid_occupied", 1)


def test_occupied_by_an_own_stone_loses() -> None:
    state = after("2,2 1,1 2,2")
    assert (reason(state), winner(state)) == ("invalid_occupied", 2)


def test_ko_is_forbidden() -> None:
    state = after(f"{KO} 1,1")
    assert (reason(state), winner(state)) == ("invalid_ko", 1)


def test_ko_is_lifted_after_a_pass() -> None:
    state = after(f"{KO} PASS 4,3 1,1")
    assert state.result is None
    assert state.position.rows()[1] == "12020"


def test_no_ko_stands_right_after_a_pass() -> None:
    state = after(f"{KO} PASS")
    assert state.position.ko is None
    assert state.previous == (state.position.black, state.position.white)


def test_ko_may_be_taken_after_a_move_elsewhere() -> None:
    state = after(f"{KO} 4,3 3,3 1,1")
    assert state.result is None
    assert state.position.rows()[1] == "12020"


def test_taking_back_one_of_two_stones_is_no_ko() -> None:
    state = after(f"{TWO_TAKEN} 0,1")
    assert state.result is None
    assert state.position.rows()[0] == "02020"


def test_illegal_move_leaves_the_board_as_it_was() -> None:
    before = after(KO)
    assert after("1,1", before).position == before.position


def test_illegal_move_is_the_last_of_the_moves() -> None:
    assert after("2,2 2,2").moves == ("2,2", "2,2")


def _reason_by_the_letter(board: str, previous: str, colour: str, point: int) -> str | None:
    """Return the rule that the move breaks, on boards of 25 digits, as the assignment words the rules."""
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


# Words for people


def test_describe_a_pass() -> None:
    assert describe(after("2,2 PASS")) == "ply 2: White passes"
    assert describe(after("2,2 PASS PASS")._replace(result=None)) == "ply 3: Black passes"
    assert describe(after("0,1 0,0 1,0")) == "ply 3: Black plays 1,0 and takes 1 stone"
    assert describe(after("0,1 0,0 2,1 2,0 3,1 3,0 4,0 4,4 1,0")) == "ply 9: Black plays 1,0 and takes 3 stones"


def test_describe_a_rule_broken() -> None:
    assert describe(after("2,2 2,2")) == "Black wins (invalid_occupied: 2,2 is occupied)"


def test_describe_a_game_resigned() -> None:
    assert describe(forfeit(OPENING, "resigned", "")) == "White wins (resigned)"


def test_the_pass_that_ends_a_game_keeps_the_board() -> None:
    position = after("2,2 1,1 PASS PASS").position
    assert position == Position(1 << 12, 1 << 6, None, 24, True)
    assert move_name(PASS) == "PASS"
