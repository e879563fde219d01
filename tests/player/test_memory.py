"""The ply memory: certain when its notes fit, a guess otherwise, never in the way."""

import random
from pathlib import Path

import pytest

from arena.match.host import OPENING, State, input_text, judge
from notation.host_file import Question, parse_question
from player.memory import MEMORY_FILE, PlyMemory
from solver.position import PASS, Position, move_name


def question_of(state: State) -> Question:
    return parse_question(input_text(state).encode())


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
    """So an exam asks, which shows the calls of a game that somebody else has played."""
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


def test_nowhere_to_write_is_no_error(tmp_path: Path) -> None:
    memory = PlyMemory([str(tmp_path / "none")])
    memory.recall(question_of(OPENING))
    memory.note(OPENING.position, 12)
