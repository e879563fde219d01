import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from little_go.arena.learning import littlego
from little_go.arena.learning.littlego import KEY_BITS, LITTLE_GO, OPENING, key_after
from little_go.arena.match.host import State
from little_go.solver.position import FULL, PASS, START, Position, play_all, points_of
from little_go.solver.symmetry import SYMMETRIES, transform
from tests.arena.helpers import after, states


@given(states(), st.integers(0, SYMMETRIES - 1))
def test_key_does_not_change_when_the_board_is_turned(state: State, symmetry: int) -> None:
    for move in state.position.legal_moves():
        following = state.position.play(move)
        mover = state.position.mover
        assert key_after(following, mover) == key_after(transform(symmetry, following), mover) < 1 << KEY_BITS


@given(states())
def test_choices_are_the_legal_points_else_the_pass(state: State) -> None:
    position = state.position
    moves = [choice.move for choice in LITTLE_GO.choices(position)]
    if position.ply:
        assert moves == (list(points_of(position.legal_points())) or [PASS])
    for choice in LITTLE_GO.choices(position):
        assert choice.key == key_after(position.play(choice.move), position.mover)


def test_only_one_opening_is_learnt() -> None:
    assert [choice.move for choice in LITTLE_GO.choices(START)] == [OPENING] == [7]
    assert [choice.move for choice in LITTLE_GO.choices(START._replace(ply=8))] == list(range(25))


def test_pass_is_the_choice_without_a_legal_point() -> None:
    position = Position(FULL & ~(1 | 1 << 24), 0, None, 23, False)
    assert [choice.move for choice in LITTLE_GO.choices(position)] == [PASS]


def test_key_tells_what_the_board_looks_like() -> None:
    # Black has 0,1 2,2 3,0, and 4,4 with the only liberty 3,4. White has 0,0 with the only liberty 1,0, and 3,3 4,3.
    position = after("0,1 0,0 2,2 4,3 3,0 3,3 4,4").position
    assert (position.left, position.margin) == (17, 1)
    # Black's liberties are 0,2 1,1 1,2 2,0 2,1 2,3 3,1 3,2 3,4 4,0, and White's are 1,0 2,3 3,2 3,4 4,2; both have 2,3
    # 3,2 3,4. Black has four groups, and White has two.
    expected = 17 | (1 + 7) << 5 | 1 << 9 | 1 << 11 | (5 // 2 + 3) << 13 | (2 - 4 + 2) << 16
    assert key_after(position, 1) == expected


@pytest.mark.parametrize(("mover", "won"), [(1, 0), (2, 1)])
def test_key_of_the_end_is_the_result_alone(mover: int, won: int) -> None:
    assert key_after(START.play(PASS), mover) == won << 5
    assert key_after(Position(0b11, 0, None, 24, False), mover) == won << 5
    assert key_after(Position(0b111, 0, None, 24, False), mover) == (1 - won) << 5


def test_colours_are_told_apart_by_the_plies_left() -> None:
    position = play_all(START, [7, 12])
    swapped = Position(position.white, position.black, None, 3, False)
    assert key_after(position, 2) != key_after(swapped, 1)
    assert key_after(position, 2) & ~31 == key_after(swapped, 1) & ~31


def test_game_ends_with_a_winner() -> None:
    game = LITTLE_GO
    assert (game.winner(START), game.mover(START), game.mover(START.play(7))) == (None, 1, 2)
    assert game.winner(game.play(START, PASS)) == 2
    assert game.winner(Position(0b111, 0, None, 24, False)) == 1


@pytest.mark.parametrize(
    ("number", "clipped"), [(-9, 0), (-4, 0), (-3, 0), (-2, 1), (0, 3), (2, 5), (3, 6), (4, 6), (9, 6)]
)
def test_a_number_in_a_key_is_clipped_at_both_ends(number: int, clipped: int) -> None:
    assert littlego._clipped(number, 3) == clipped


def test_at_most_three_stones_in_atari_count() -> None:
    def key(black: int, white: int) -> tuple[int, int]:
        found = key_after(Position(black, white, None, 10, False), 1)
        return found >> 9 & 3, found >> 11 & 3

    # White's row of stones at the top border has one liberty, at 0,3 or 0,4.
    assert key(0b00111 << 5 | 1 << 20, 0b00111) == (0, 3)
    assert key(0b01111 << 5 | 1 << 20, 0b01111) == (0, 3)
    assert key(0b00011 << 5 | 1 << 20, 0b00011) == (0, 2)
    assert key(0b01111, 0b01111 << 5 | 1 << 20) == (3, 0)


@pytest.mark.parametrize(
    ("values", "ranks", "ends"),
    [
        ({}, {}, (0.0, 0.0)),
        ({1: 0.5}, {1: 0}, (0.5, 0.5)),
        ({1: 1.0, 2: 2.0, 3: 1.25}, {1: 0, 2: 255, 3: 64}, (1.0, 2.0)),
    ],
)
def test_values_are_rounded_to_a_byte(
    values: dict[int, float], ranks: dict[int, int], ends: tuple[float, float], tmp_path: Path
) -> None:
    table = littlego.pack(values)
    littlego.write_table(table, tmp_path / "t.json")
    for each in (table, littlego.open_table(tmp_path / "t.json")):
        assert (each.values, (each.low, each.high), len(each), each.rank(9)) == (ranks, ends, len(values), -1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "not a table of learnt values for Little-Go: make one with little-go train"),
        ({"format": 2}, "table format 2, but this program reads format 1"),
        *(({name: None}, f"damaged: {name} is missing") for name in ("low", "high", "entries", "data")),
        ({"entries": 7}, ""),
    ],
)
def test_a_table_that_cannot_be_used(change: dict[str, object], words: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    littlego.write_table(littlego.pack({1: 0.0, 2: 1.0}), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(littlego.ValueTableError, match=f"{path}.*{words}"):
        littlego.open_table(path)
