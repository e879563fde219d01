"""The memory of the ply: it is certain if the notes fit, and otherwise a guess; a bad file never stops the player."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from little_go.arena.match.host import OPENING, State, input_text, judge
from little_go.notation.host_file import Question, parse_question
from little_go.player.memory import MEMORY_FILE, PlyMemory
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, Position, move_name, parse_move
from tests.player.notes import games_noted


def question_of(state: State) -> Question:
    return parse_question(input_text(state).encode(), COURSE)


def random_move(position: Position, rng: random.Random) -> int:
    moves = position.legal_moves()
    return PASS if len(moves) == 1 or rng.random() < 0.1 else rng.choice(moves[:-1])


@pytest.mark.parametrize("seed", range(25))
def test_the_ply_is_certain_all_game_long_for_both_colours_in_one_directory(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(2):
        state = OPENING
        while state.result is None:
            memory = PlyMemory([str(tmp_path)])
            assert memory.recall(question_of(state)) == (state.position.ply, True)
            move = random_move(state.position, rng)
            memory.note(state.position, move)
            state = judge(state, move_name(move))


@pytest.mark.parametrize("seed", range(25))
def test_the_ply_is_certain_where_the_host_plays_other_moves(tmp_path: Path, seed: int) -> None:
    """An exam calls a program like this, with the calls of a game that another player has played."""
    rng, state = random.Random(seed), OPENING
    while state.result is None:
        memory = PlyMemory([str(tmp_path)])
        assert memory.recall(question_of(state)) == (state.position.ply, True)
        memory.note(state.position, random_move(state.position, rng))
        state = judge(state, move_name(random_move(state.position, rng)))


def some_state(seed: int = 1, plies: int = 9) -> State:
    rng = random.Random(seed)
    state = OPENING
    while state.position.ply < plies:
        state = judge(state, move_name(rng.choice(state.position.legal_moves()[:-1])))
    assert state.result is None
    return state


def test_without_notes_the_ply_is_a_guess(tmp_path: Path) -> None:
    state = some_state()
    ply, certain = PlyMemory([str(tmp_path)]).recall(question_of(state))
    assert not certain
    assert ply <= state.position.ply
    assert ply % 2 == state.position.ply % 2


def test_a_guess_stays_a_guess(tmp_path: Path) -> None:
    state = some_state()
    for _ in range(3):
        memory = PlyMemory([str(tmp_path)])
        ply, certain = memory.recall(question_of(state))
        assert not certain
        position = question_of(state).position(ply)
        memory.note(position, position.legal_moves()[0])
        for _ in range(2):
            state = judge(state, move_name(state.position.legal_moves()[0]))


def test_a_second_call_for_the_same_move_gets_the_same_ply(tmp_path: Path) -> None:
    state = OPENING
    for _ in range(2):
        memory = PlyMemory([str(tmp_path)])
        memory.recall(question_of(state))
        memory.note(state.position, 12 if state.position.ply == 0 else 6)
        state = judge(judge(state, "2,2" if state.position.ply == 0 else "1,1"), "3,3" if state is OPENING else "0,4")
    for _ in range(3):
        memory = PlyMemory([str(tmp_path)])
        assert memory.recall(question_of(state)) == (4, True)
        memory.note(state.position, 24)


def test_notes_of_another_game_are_no_use(tmp_path: Path) -> None:
    state = some_state(seed=2, plies=8)
    memory = PlyMemory([str(tmp_path)])
    memory.recall(question_of(state))
    memory.note(state.position, state.position.legal_moves()[0])
    assert PlyMemory([str(tmp_path)]).recall(question_of(some_state(seed=3, plies=10)))[1] is False


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"[]",
        b"null",
        b'{"format": 1, "games": {}}',
        b'{"format": 2}',
        b'{"format": 2, "games": []}',
        b'{"format": 2, "games": {"2": 5}}',
        b'{"format": 2, "games": {"2": [1]}}',
        b'{"format": 2, "games": {"2": [["000", 1, true]]}}',
        b'{"format": 2, "games": {"2": [["0000000000001000000000000", "8", true]]}}',
        b'{"format": 2, "games": {"2": [["0000000000001000000000000", 99, true]]}}',
        b"[" * 100000,
        b'{"format": 2, "games": {"1": [',
    ],
    ids=lambda content: content[:60].decode("latin-1").encode("unicode_escape").decode(),
)
def test_a_foreign_or_broken_memory_counts_as_none_and_is_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / MEMORY_FILE).write_bytes(content)
    state = some_state()
    memory = PlyMemory([str(tmp_path)])
    ply, certain = memory.recall(question_of(state))
    assert not certain
    memory.note(state.position._replace(ply=ply), PASS)
    assert b'"format": 2' in (tmp_path / MEMORY_FILE).read_bytes()


def test_impossible_notes_are_not_believed(tmp_path: Path) -> None:
    state = some_state()
    board = "".join(Position(*state.previous).rows())
    text = f'{{"format": 2, "games": {{"1": [], "2": [["{board}", 2, true]]}}}}'
    (tmp_path / MEMORY_FILE).write_text(text)
    assert PlyMemory([str(tmp_path)]).recall(question_of(state))[1] is False


def noted_game(folder: Path) -> tuple[State, dict[str, list[list[Any]]]]:
    """Record two moves of each colour, and return the state at Black's third move with the notes."""
    state = OPENING
    for move in ("2,2", "1,1", "1,2", "3,3"):
        memory = PlyMemory([str(folder)])
        memory.recall(question_of(state))
        memory.note(state.position, parse_move(move))
        state = judge(state, move)
    return state, games_noted(folder)


def test_notes_are_the_boards_that_were_asked_and_left(tmp_path: Path) -> None:
    state, games = noted_game(tmp_path)
    boards = ["".join(Position(*stones).rows()) for stones in ((0, 0), (1 << 12, 0), (1 << 12, 1 << 6))]
    assert games["1"][:3] == [[boards[0], 0, True], [boards[1], 1, True], [boards[2], 2, True]]
    assert games["2"][:2] == [[boards[1], 1, True], [boards[2], 2, True]]
    assert [len(notes) for notes in games.values()] == [4, 4]
    memory = PlyMemory([str(tmp_path)])
    assert memory.recall(question_of(state)) == (4, True)
    # A second move for the same question is added to the first one, and the question is stored once.
    memory.note(state.position, 24)
    memory.note(state.position, 23)
    assert [ply for _, ply, _ in games_noted(tmp_path)["1"]] == [0, 1, 2, 3, 4, 5, 5]


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        *((0, wrong) for wrong in ("0" * 24, "0" * 26, "3" * 25, 5, None)),
        *((1, wrong) for wrong in (-1, 25, "3", 3.0, True, None)),
        *((2, wrong) for wrong in (1, 0, "true", None)),
    ],
)
@pytest.mark.parametrize("colour", ["1", "2"])
def test_one_wrong_note_makes_the_file_another_s(tmp_path: Path, place: int, wrong: object, colour: str) -> None:
    state, games = noted_game(tmp_path)
    # The question does not follow from the first note.
    games[colour][0][place] = wrong
    (tmp_path / MEMORY_FILE).write_text(json.dumps({"format": 2, "games": games}))
    assert PlyMemory([str(tmp_path)]).recall(question_of(state)) == (4, False)


@pytest.mark.parametrize("ply", [0, 24])
def test_the_first_and_the_last_ply_are_notes(tmp_path: Path, ply: int) -> None:
    state, games = noted_game(tmp_path)
    games["2"][0][1] = ply
    (tmp_path / MEMORY_FILE).write_text(json.dumps({"format": 2, "games": games}))
    assert PlyMemory([str(tmp_path)]).recall(question_of(state)) == (4, True)


def test_the_newest_note_that_fits_counts_and_later_ones_are_dropped(tmp_path: Path) -> None:
    state, games = noted_game(tmp_path)
    games["1"].append(["1" + "0" * 24, 7, True])
    (tmp_path / MEMORY_FILE).write_text(json.dumps({"format": 2, "games": games}))
    memory = PlyMemory([str(tmp_path)])
    assert memory.recall(question_of(state)) == (4, True)
    memory.note(state.position, 24)
    assert [ply for _, ply, _ in games_noted(tmp_path)["1"]] == [0, 1, 2, 3, 4, 5]


def test_a_note_of_fewer_plies_than_the_stones_take_does_not_fit(tmp_path: Path) -> None:
    state, games = noted_game(tmp_path)
    for note in games["1"]:
        note[1] = max(0, note[1] - 2)
    (tmp_path / MEMORY_FILE).write_text(json.dumps({"format": 2, "games": games}))
    assert PlyMemory([str(tmp_path)]).recall(question_of(state)) == (4, False)


@pytest.mark.parametrize(("more", "recalled"), [(18, (22, True)), (20, (4, False))])
def test_notes_after_which_the_game_is_over_do_not_fit(tmp_path: Path, more: int, recalled: tuple[int, bool]) -> None:
    state, games = noted_game(tmp_path)
    for note in games["1"]:
        note[1] += more
    (tmp_path / MEMORY_FILE).write_text(json.dumps({"format": 2, "games": games}))
    assert PlyMemory([str(tmp_path)]).recall(question_of(state)) == recalled


def test_a_directory_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    blocked, second = tmp_path / "blocked", tmp_path / "second"
    (blocked / MEMORY_FILE).mkdir(parents=True)
    second.mkdir()
    memory = PlyMemory([str(blocked), str(second)])
    memory.recall(question_of(OPENING))
    memory.note(OPENING.position, 12)
    assert (second / MEMORY_FILE).is_file()
    state = judge(judge(OPENING, "2,2"), "1,1")
    assert PlyMemory([str(blocked), str(second)]).recall(question_of(state)) == (2, True)


def test_only_the_first_directory_that_can_be_written_gets_notes(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    memory = PlyMemory([str(first), str(second)])
    memory.recall(question_of(OPENING))
    memory.note(OPENING.position, 12)
    assert [path.name for path in first.iterdir()] == [MEMORY_FILE]
    assert [*second.iterdir()] == []


def test_nowhere_to_write_is_no_error(tmp_path: Path) -> None:
    memory = PlyMemory([str(tmp_path / "none")])
    memory.recall(question_of(OPENING))
    memory.note(OPENING.position, 12)
