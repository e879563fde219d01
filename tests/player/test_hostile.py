"""Random and hostile ``input.txt``: a legal move, or one clear line and exit code 2; never a traceback.

``make test-long`` runs it with LITTLE_GO_EXAMPLES=10000.
"""

import contextlib
import io
import os
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from little_go.arena.match.host import OPENING, State, input_text, judge
from little_go.player.main import main
from little_go.player.memory import MEMORY_FILE
from little_go.solver.position import FULL, PASS, Position, group_of, groups_of, move_name, neighbours, parse_move

EXAMPLES = int(os.environ.get("LITTLE_GO_EXAMPLES", "100"))

hostile = settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module", autouse=True)
def _hurry() -> Iterator[None]:
    """Give each move a short time and no book, so that thousands of moves can be played."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setenv("LITTLE_GO_CPU", "0.000001")
        patch.setattr("sys.argv", ["my_player3.py"])
        patch.chdir(folder)
        yield


def call(content: bytes) -> tuple[int, str, str | None]:
    """Return the exit code, the standard error, and the written move."""
    Path("input.txt").write_bytes(content)
    Path("output.txt").unlink(missing_ok=True)
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        code = main()
    lines = [line for line in said.getvalue().splitlines() if "book.json: not found" not in line]
    answer = Path("output.txt").read_text() if Path("output.txt").exists() else None
    assert "Traceback" not in said.getvalue()
    assert "internal error" not in said.getvalue()
    return code, "\n".join(lines), answer


def check_refused(code: int, said: str, answer: str | None) -> None:
    assert code == 2
    assert answer is None
    assert said.startswith("little-go: input.txt: ")
    assert "\n" not in said


def random_state(seed: int, plies: int, passing: float) -> State:
    rng = random.Random(seed)
    state = OPENING
    for _ in range(plies):
        moves = state.position.legal_moves()
        move = PASS if rng.random() < passing or len(moves) == 1 else rng.choice(moves[:-1])
        after = judge(state, move_name(move))
        if after.result is not None:
            break
        state = after
    return state


states = st.builds(random_state, st.integers(0, 10**6), st.integers(0, 23), st.sampled_from([0.0, 0.1, 0.4]))


@hostile
@given(states, st.booleans(), st.sampled_from(["keep", "none", "junk"]))
def test_every_real_question_gets_a_legal_move(state: State, newline: bool, memory: str) -> None:
    if memory == "none":
        Path(MEMORY_FILE).unlink(missing_ok=True)
    elif memory == "junk":
        Path(MEMORY_FILE).write_bytes(b'{"format": 1, "games": {"1": [[')
    code, said, answer = call(input_text(state).encode() + b"\n" * newline)
    assert (code, said) == (0, "")
    assert answer is not None
    assert parse_move(answer) in state.position.legal_moves()


@hostile
@given(states, st.data())
def test_a_question_with_some_bytes_changed(state: State, data: st.DataObject) -> None:
    content = bytearray(input_text(state).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        how = data.draw(st.sampled_from(["change", "drop", "add", "cut"]))
        byte = data.draw(st.one_of(st.sampled_from(b"012\n \r,"), st.integers(0, 255)))
        if how == "change":
            content[place] = byte
        elif how == "drop" and len(content) > 1:
            del content[place]
        elif how == "add":
            content.insert(place, byte)
        elif how == "cut" and place:
            del content[place:]
    check_either(bytes(content))


boards = st.tuples(st.integers(0, FULL), st.integers(0, FULL)).map(
    lambda pair: (pair[0] & ~pair[1], pair[1] & ~pair[0])
)
full_boards = st.integers(0, FULL).map(lambda black: (black, FULL & ~black))


@hostile
@given(st.sampled_from("0123"), st.one_of(boards, full_boards), st.one_of(boards, full_boards), st.booleans())
def test_impossible_boards(colour: str, before: tuple[int, int], now: tuple[int, int], same: bool) -> None:
    rows = [*Position(*before).rows(), *Position(*(before if same else now)).rows()]
    check_either("\n".join([colour, *rows]).encode())


@hostile
@given(st.one_of(st.binary(max_size=1200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "ignore"))))
def test_arbitrary_bytes(content: bytes) -> None:
    check_refused(*call(content))


def check_either(content: bytes) -> None:
    """The input is refused, or the answer is a legal move on its boards."""
    code, said, answer = call(content)
    if code:
        check_refused(code, said, answer)
        return
    text = content.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = [line.strip() for line in text.split("\n") if line.strip()][:11]
    colour = str(int(lines[0]))
    assert colour in "12"
    mine, theirs = (
        sum(1 << p for p, mark in enumerate("".join(lines[6:11])) if mark == side)
        for side in colour + "12".replace(colour, "")
    )
    assert answer is not None
    move = parse_move(answer)
    if move == PASS:
        return
    stone = 1 << move
    assert not (mine | theirs) & stone
    left = sum(group for group in groups_of(theirs) if neighbours(group) & ~(mine | theirs | stone) & FULL)
    mine |= stone
    # The host only checks the group of the stone.
    assert neighbours(group_of(stone, mine)) & ~(mine | left) & FULL
    after = (mine, left) if colour == "1" else (left, mine)
    assert lines[1:6] != Position(*after).rows()


def test_a_full_board_is_answered() -> None:
    code, said, answer = call("\n".join(["1", *["11111"] * 5, *["11111"] * 5]).encode())
    assert (code, answer) == (0, "PASS")
    assert said.startswith(
        "little-go: input.txt: played at once: the group at 0,0 on the previous board has no liberty"
    )


def test_a_question_that_no_game_asks_is_answered_without_repeating_the_board_before() -> None:
    """White's corner group has no liberty on either board. Otherwise this would be a ko, and the recapture would be the
    first move.
    """
    before = ["01200", "12020", "01200", "00001", "00012"]
    now = ["01200", "10120", *before[2:]]
    code, said, answer = call("\n".join(["2", *before, *now]).encode())
    assert (code, said.count("played at once: the group at 4,4 on the previous board has no liberty")) == (0, 1)
    assert answer not in (None, "1,1", "PASS")


def test_without_a_legal_stone_the_player_passes() -> None:
    # White may not play on 0,0, which is an eye, or on 2,3, which is its own last liberty.
    now = ["01111", "11111", "11102", "22222", "22222"]
    before = ["00111", *now[1:]]
    assert call("\n".join(["2", *before, *now]).encode()) == (0, "", "PASS")
