"""In a lost game the player plays for an error of the opponent."""

import time

import pytest

from little_go.notation.record import from_record
from little_go.player import choose
from little_go.player.choose import _best_value, _holding_replies, _play_on, choose_move, hardest_move
from little_go.player.clock import Clock
from little_go.solver.answer import BLACK_WINS, LEAST, MOST, Answer
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import FULL, PASS, Position, parse_move
from tests.solver.test_exact import oracle_rows

#: Positions with 8 or 9 plies left that are lost for the mover.
LOST = [
    position
    for left in (8, 9)
    for row in oracle_rows(left, left)
    if (row["value"] >= 3) != (position := from_record(row, COURSE)).black_to_move
][::18]

UNKNOWN = Answer(LEAST, MOST, None, 0)


def holding(position: Position, move: int) -> int:
    """Return the number of replies to a move that keep the win, by a plain search."""
    child = position.play(move)
    after = [child.play(reply) for reply in child.legal_moves()]
    winners = [COURSE.leader(each) if each.is_over else COURSE.winner(ExactSolver().decide(each, 3)) for each in after]
    return winners.count(child.mover)


def decide(position: Position) -> Answer:
    return ExactSolver().decide(position, BLACK_WINS)


def test_the_fewest_replies_hold_after_the_move() -> None:
    assert len(LOST) > 5
    for position in LOST:
        moves = [move for move in position.legal_moves() if not position.play(move).is_over]
        move = hardest_move(position, moves, decide, ExactSolver().value, game=COURSE)
        fewest = min(holding(position, each) for each in moves)
        assert move is not None
        assert holding(position, move) == fewest
        value = ExactSolver().value(position.play(move)).lo
        sign = 1 if position.black_to_move else -1
        equals = [each for each in moves if holding(position, each) == fewest]
        values = [sign * ExactSolver().value(position.play(each)).lo for each in equals]
        assert sign * value == max(values)
        assert move == equals[values.index(max(values))]
        # If no value is known, the first move counts.
        assert hardest_move(position, moves, decide, lambda _: UNKNOWN, game=COURSE) == equals[0]


def test_each_holding_reply_counts_once_until_the_count_is_too_high() -> None:
    for position in LOST:
        for move in position.legal_moves():
            child = position.play(move)
            if child.is_over:
                continue
            plain = holding(position, move)
            assert _holding_replies(child, 26, decide, COURSE) == plain
            assert _holding_replies(child, plain, decide, COURSE) == plain
            if plain:
                assert _holding_replies(child, plain - 1, decide, COURSE) == plain
            if plain > 1:
                assert _holding_replies(child, 0, decide, COURSE) == 1


def test_a_pass_that_ends_a_lost_game_is_no_move_to_try() -> None:
    lost = LOST[0]._replace(passed=True, ko=None)
    assert hardest_move(lost, [PASS], decide, ExactSolver().value, game=COURSE) is None
    first = parse_move("2,2") if 12 in lost.legal_moves() else lost.legal_moves()[0]
    assert hardest_move(lost, [PASS, first], decide, ExactSolver().value, game=COURSE) == first


def test_without_time_there_is_no_answer() -> None:
    assert hardest_move(LOST[0], LOST[0].legal_moves(), lambda _: UNKNOWN, lambda _: UNKNOWN, game=COURSE) is None


#: Black's only legal stone is on the last point, where it captures all white stones.
ONE_STONE = Position(black=0, white=FULL ^ 1 << 24, ply=20)


def test_a_move_counts_although_more_replies_than_moves_keep_the_win() -> None:
    """Black's capture empties the board, so White has more moves than Black."""
    assert holding(ONE_STONE, 24) == 25
    assert hardest_move(ONE_STONE, [24], decide, ExactSolver().value, game=COURSE) == 24


@pytest.mark.parametrize(
    ("mover", "values", "best"),
    [
        (1, [-3, 2, 2], 1),
        (1, [2, -3], 0),
        (2, [-3, 2, -4, -4], 2),
        (2, [2, -3], 1),
        # A value that is not found, and all later values, do not count.
        (1, [-3, 2, None, 5], 1),
        (2, [None, -3], 0),
        (1, [7], 0),
    ],
)
def test_of_several_moves_the_first_one_with_the_best_value_is_chosen(
    mover: int, values: list[int | None], best: int
) -> None:
    def value(child: Position) -> Answer:
        assert len(values) > 1, "a single move needs no value"
        found = values[(child.black | child.white).bit_length() - 1]
        return UNKNOWN if found is None else Answer(found, found, None, 0)

    moves = [*range(len(values))]
    assert _best_value(Position(ply=10 + mover - 1), moves, value) == moves[best]


@pytest.mark.parametrize(
    ("position", "move", "played"),
    [
        (Position(ply=2), PASS, PASS),
        (Position(ply=2, passed=True), PASS, 12),
        (Position(ply=2, passed=True), 3, 3),
        (ONE_STONE, PASS, PASS),
        (ONE_STONE._replace(passed=True), PASS, 24),
        # Only two points are free, and both are White's eyes.
        (Position(black=0, white=FULL ^ 1 ^ 1 << 24, ply=20, passed=True), PASS, PASS),
    ],
)
def test_a_lost_game_goes_on_as_long_as_there_is_a_stone_to_play(position: Position, move: int, played: int) -> None:
    assert _play_on(position, move) == played


def test_the_player_plays_so(monkeypatch: pytest.MonkeyPatch) -> None:
    # The limit itself is included, and alpha-beta is not used.
    monkeypatch.setattr(choose, "LOST_LEFT", max(position.left for position in LOST))
    monkeypatch.setattr(choose, "AlphaBeta", None)
    for position in LOST:
        choice = choose_move(position, Clock(9, time.process_time()), game=COURSE)
        assert choice.source == "exact"
        assert choice.winner == 3 - position.mover
        assert holding(position, choice.move) == min(
            holding(position, move) for move in position.legal_moves() if not position.play(move).is_over
        )
