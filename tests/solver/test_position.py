"""The rules, on drawn boards."""

import random

import pytest
from hypothesis import given

from little_go.solver.family import COURSE
from little_go.solver.position import (
    BY_KO,
    FULL,
    GAME_PLIES,
    OCCUPIED,
    OFF_BOARD,
    PASS,
    POINTS,
    START,
    SUICIDE,
    IllegalMove,
    Position,
    group_of,
    groups_of,
    move_name,
    neighbours,
    parse_move,
    parse_moves,
    parse_rows,
    play_all,
    points_of,
)
from tests.book.positions import open_positions
from tests.solver.positions import drawn, shown

# The fields are: name, mover, board, move, board after it; + marks the ko point.
PLAYS = [
    (
        "a stone on the empty board",
        "X",
        """
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "2,2",
        """
        . . . . .
        . . . . .
        . . X . .
        . . . . .
        . . . . .
        """,
    ),
    (
        "ko in the corner",
        "X",
        """
        O . O . .
        X O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "0,1",
        """
        + X O . .
        X O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    (
        "ko on the edge",
        "O",
        """
        . . . . .
        . . . . .
        . . . . .
        . X O . .
        X . X O .
        """,
        "4,1",
        """
        . . . . .
        . . . . .
        . . . . .
        . X O . .
        X O + O .
        """,
    ),
    (
        "ko in the centre",
        "X",
        """
        . . . . .
        . X O . .
        X O . O .
        . X O . .
        . . . . .
        """,
        "2,2",
        """
        . . . . .
        . X O . .
        X + X O .
        . X O . .
        . . . . .
        """,
    ),
    (
        "one taken by a stone with a second liberty is no ko",
        "X",
        """
        . . . . .
        . X . . .
        X O . O .
        . X O . .
        . . . . .
        """,
        "2,2",
        """
        . . . . .
        . X . . .
        X . X O .
        . X O . .
        . . . . .
        """,
    ),
    (
        "one taken by a stone that joins others is no ko",
        "X",
        """
        O . X O .
        X O O . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "0,1",
        """
        . X X O .
        X O O . .
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    (
        "two taken by a lone stone are no ko",
        "X",
        """
        O O . O .
        X X O . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "0,2",
        """
        . . X O .
        X X O . .
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    (
        "two single stones taken at once are no ko",
        "X",
        """
        . O X . .
        O X . . .
        X . . . .
        . . . . .
        . . . . .
        """,
        "0,0",
        """
        X . X . .
        . X . . .
        X . . . .
        . . . . .
        . . . . .
        """,
    ),
    (
        "three groups taken at once",
        "O",
        """
        . . O . .
        . O X O .
        O X . X O
        O X O X O
        . O . O .
        """,
        "2,2",
        """
        . . O . .
        . O . O .
        O . O . O
        O . O . O
        . O . O .
        """,
    ),
    (
        "taking comes before suicide",
        "X",
        """
        . O X . .
        O O X . .
        X X . . .
        . . . . .
        . . . . .
        """,
        "0,0",
        """
        X . X . .
        . . X . .
        X X . . .
        . . . . .
        . . . . .
        """,
    ),
    (
        "the last point of a full board takes",
        "X",
        """
        O O O O O
        O O O O O
        O O O O O
        O O O O O
        O O O O .
        """,
        "4,4",
        """
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . X
        """,
    ),
    (
        "a PASS lifts the ko",
        "O",
        """
        + X O . .
        X O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "PASS",
        """
        . X O . .
        X O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
    ),
    (
        "a stone elsewhere lifts the ko",
        "O",
        """
        + X O . .
        X O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "4,4",
        """
        . X O . .
        X O . . .
        . . . . .
        . . . . .
        . . . . O
        """,
    ),
]

# The fields are: name, mover, board, move, why the move is illegal.
ILLEGAL = [
    (
        "own stone",
        "X",
        """
        X . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "0,0",
        f"0,0 is {OCCUPIED}",
    ),
    (
        "opponent's stone",
        "X",
        """
        O . . . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "0,0",
        f"0,0 is {OCCUPIED}",
    ),
    (
        "suicide of a stone",
        "X",
        """
        . . . . .
        . . . . .
        . . . . .
        . . . . O
        . . . O .
        """,
        "4,4",
        f"4,4 is {SUICIDE}",
    ),
    (
        "suicide of a group",
        "X",
        """
        X . O . .
        O O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "0,1",
        f"0,1 is {SUICIDE}",
    ),
    (
        "ko",
        "O",
        """
        . . . . .
        . X O . .
        X + X O .
        . X O . .
        . . . . .
        """,
        "2,1",
        f"2,1 is {BY_KO}",
    ),
]

# The fields are: the fault, the position.
IMPOSSIBLE = [
    ("a stone is off the board", Position(black=1 << POINTS, ply=1)),
    (f"a stone is {OFF_BOARD}", Position(white=-1, ply=1)),
    ("0,1 holds both a black and a white stone", Position(black=0b10, white=0b110, ply=3)),
    ("ply 25 is not within 0 to 24", Position(ply=25)),
    ("ply -1 is not within 0 to 24", Position(ply=-1)),
    ("the game starts from the empty board", Position(black=1)),
    ("the game starts from the empty board", Position(passed=True)),
    ("the group at 0,0 has no liberty", Position(black=1, white=1 << 1 | 1 << 5, ply=3)),
    ("the group at 0,0 has no liberty", Position(black=FULL, ply=3)),
    (f"the ko point 25 is {OFF_BOARD}", Position(ko=PASS, ply=3)),
    ("ko at 0,0 after a PASS: a PASS lifts every ko", Position(ko=0, ply=3, passed=True)),
    (f"the ko point 0,0 is {OCCUPIED}", Position(black=1, ko=0, ply=3)),
    ("the ko point 0,0 is not surrounded by the opponent", Position(black=1 << 1, ko=0, ply=3)),
    # The stones around the ko point have other liberties, or belong to the mover.
    ("no single stone next to 0,0 can have captured there", Position(black=1 << 1 | 1 << 5, ko=0, ply=3)),
    ("the ko point 0,0 is not surrounded by the opponent", Position(black=1 << 1 | 1 << 5, ko=0, ply=4)),
]


@pytest.mark.parametrize(("name", "mover", "board", "move", "after"), PLAYS, ids=[play[0] for play in PLAYS])
def test_play_changes_the_board(name: str, mover: str, board: str, move: str, after: str) -> None:
    position = drawn(board, mover)
    played = position.play(parse_move(move))
    expected = drawn(after, "X" if mover == "O" else "O", passed=move == "PASS", ply=position.ply + 1)
    assert played == expected, shown(played)


@pytest.mark.parametrize(("name", "mover", "board", "move", "reason"), ILLEGAL, ids=[case[0] for case in ILLEGAL])
def test_illegal_move_is_refused(name: str, mover: str, board: str, move: str, reason: str) -> None:
    position = drawn(board, mover)
    assert parse_move(move) not in position.legal_moves()
    assert not position.allows(parse_move(move))
    with pytest.raises(IllegalMove, match=f"^{reason}$"):
        position.play(parse_move(move))


@pytest.mark.parametrize("move", [-1, PASS + 1])
def test_point_off_the_board_is_refused(move: int) -> None:
    with pytest.raises(IllegalMove, match=OFF_BOARD):
        START.play(move)


def test_snapback_is_no_ko() -> None:
    thrown_in = drawn(
        """
        X . O X .
        O O O X .
        X X X . .
        . . . . .
        . . . . .
        """,
        "O",
    )
    taken = thrown_in.play(parse_move("0,1"))
    assert taken.ko is None
    taken_back = taken.play(parse_move("0,0"))
    assert taken_back.white == 0
    assert taken_back.ko is None


def test_ko_may_be_retaken_a_turn_later() -> None:
    position = drawn(
        """
        + X O . .
        X O . . .
        . . . . .
        . . . . .
        . . . . .
        """,
        "O",
    )
    for threat in (PASS, parse_move("4,4")):
        retaken = play_all(position, [threat, parse_move("3,3"), parse_move("0,0")])
        assert retaken.ko == parse_move("0,1")


def test_pass_on_the_first_ply_ends_the_game() -> None:
    ended = START.play(PASS)
    assert ended == Position(ply=GAME_PLIES, passed=True)
    assert ended.is_over
    assert COURSE.leader(ended) == 2
    # On the empty board of a shorter game, a PASS is not the host's PASS on the first ply.
    assert not Position(ply=2).play(PASS).is_over


def test_pass_answered_by_pass_ends_the_game() -> None:
    once = play_all(START, parse_moves("2,2 PASS"))
    assert not once.is_over
    assert once.passed
    twice = once.play(PASS)
    assert twice.is_over
    assert (twice.black, twice.left, twice.ko) == (1 << 12, 0, None)
    assert not play_all(once, parse_moves("1,1 PASS")).is_over


def test_game_ends_after_24_plies() -> None:
    last = Position(black=1, ply=GAME_PLIES - 1)
    ended = last.play(5)
    assert (last.is_over, ended.is_over) == (False, True)
    assert ended.legal_moves() == []
    assert not ended.allows(PASS)
    for move in (7, PASS):
        with pytest.raises(IllegalMove, match="the game is over"):
            ended.play(move)


def test_black_moves_at_even_plies() -> None:
    assert [Position(ply=ply).mover for ply in range(4)] == [1, 2, 1, 2]


@pytest.mark.parametrize(("black", "white", "winner"), [(5, 2, 1), (4, 2, 2), (3, 0, 1), (2, 0, 2), (0, 0, 2)])
def test_black_wins_by_three_stones_or_more(black: int, white: int, winner: int) -> None:
    position = Position((1 << black) - 1, ((1 << white) - 1) << 20, ply=GAME_PLIES)
    assert position.margin == black - white
    assert COURSE.leader(position) == winner


@pytest.mark.parametrize(("reason", "position"), IMPOSSIBLE)
def test_check_says_what_is_wrong(reason: str, position: Position) -> None:
    with pytest.raises(ValueError, match=f"^{reason}$"):
        position.check()


@given(open_positions())
def test_check_accepts_what_play_reaches(position: Position) -> None:
    position.check()


@given(open_positions())
def test_legal_moves_are_those_that_play_accepts(position: Position) -> None:
    accepted = []
    for move in range(PASS + 1):
        try:
            position.play(move)
        except IllegalMove:
            continue
        accepted.append(move)
    assert position.legal_moves() == accepted, shown(position)
    assert [move for move in range(-1, PASS + 2) if position.allows(move)] == accepted, shown(position)


@given(open_positions())
def test_ko_forbids_just_the_board_before_last(position: Position) -> None:
    for move in position.legal_moves():
        after = position.play(move)
        if after.is_over or move == PASS:
            continue
        free = after._replace(ko=None)
        repeats = [m for m in points_of(free.legal_points()) if free.play(m)[:2] == position[:2]]
        assert repeats == ([] if after.ko is None else [after.ko]), shown(after)


@given(open_positions())
def test_a_stone_is_added_and_only_what_cannot_breathe_goes(position: Position) -> None:
    black, white = position.black, position.white
    for point in points_of(position.legal_points()):
        after = position.play(point)
        if position.black_to_move:
            assert after.black == black | 1 << point
            assert after.white & ~white == 0
        else:
            assert after.white == white | 1 << point
            assert after.black & ~black == 0
        empty = FULL & ~(after.black | after.white)
        for stones in (after.black, after.white):
            assert all(neighbours(group) & empty for group in groups_of(stones)), shown(after)


@given(open_positions())
def test_rows_round_trip(position: Position) -> None:
    assert parse_rows(position.rows()) == (position.black, position.white)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["00000"] * 4, "4 rows instead of 5"),
        (["00000", "0000", "00000", "00000", "00000"], "row 1 is '0000': write five digits, each 0, 1 or 2"),
        (["00000"] * 4 + ["00003"], "row 4 is '00003': write five digits, each 0, 1 or 2"),
    ],
)
def test_bad_rows_are_refused(rows: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        parse_rows(rows)


def test_diagram_shows_stones_and_ko() -> None:
    position = play_all(START, parse_moves("0,0 0,1 4,4 1,0 4,3"))
    assert position.diagram().splitlines() == [
        "  0 1 2 3 4",
        "0 . O . . .",
        "1 O . . . .",
        "2 . . . . .",
        "3 . . . . .",
        "4 . . . X X",
    ]
    ko = drawn("+ X O . . X O . . . . . . . . . . . . . . . . . .", "O")
    assert ko.diagram().splitlines()[1] == "0 + X O . ."


@pytest.mark.parametrize("text", ["", "pass", "2,5", "-1,0", "22", "2, 2", "2,2\n", "٢,2"])
def test_only_the_hosts_spelling_is_a_move(text: str) -> None:
    with pytest.raises(ValueError, match="not a move"):
        parse_move(text)


def test_move_names_round_trip() -> None:
    assert [parse_move(move_name(move)) for move in range(PASS + 1)] == list(range(PASS + 1))


def test_the_number_of_the_illegal_move_is_named() -> None:
    with pytest.raises(IllegalMove, match=rf"^move 3: 2,2 is {OCCUPIED}$"):
        play_all(START, parse_moves("2,2 1,1 2,2"))


def test_neighbours_share_an_edge() -> None:
    for point in range(POINTS):
        i, j = divmod(point, 5)
        beside = {(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)}
        assert {divmod(p, 5) for p in points_of(neighbours(1 << point))} == {
            (a, b) for a, b in beside if a in range(5) and b in range(5)
        }


def test_groups_part_the_stones() -> None:
    rng = random.Random(1)
    for _ in range(100):
        stones = rng.getrandbits(POINTS)
        groups = list(groups_of(stones))
        assert sum(groups) == stones
        for group in groups:
            assert neighbours(group) & stones & ~group == 0
            assert all(group_of(1 << p, stones) == group for p in points_of(group))
