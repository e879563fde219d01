"""Whole games from ``input.txt`` to the final ``output.txt``, with calls as by the host, judged by the kernel.

The player's ``main`` runs in this process, in a directory like the host's, with a clock that advances at each call. So
games are the same on every machine. Some of the calls are repeated by the built script, each in a separate process.
"""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from little_go.arena.match.host import OPENING, State, input_text, judge
from little_go.book.answers.reasons import open_oracle
from little_go.player import main as player
from little_go.player.__main__ import ROOT
from little_go.player.build import SCRIPT
from little_go.player.choose import MoveChoice, choose_unsure, quick_move
from little_go.player.clock import BUDGET_VARIABLE, MOST_BUDGET, Clock
from little_go.player.main import write_move
from little_go.player.memory import MEMORY_FILE
from little_go.solver.answer import BLACK_WINS
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import PASS, Position, move_name, parse_move
from tests.conftest import TickingClock
from tests.player.notes import games_noted

#: A function that returns the opponent's move.
Opponent = Callable[[Position], int]

JUDGE = open_oracle()

#: With this number of plies left or fewer, 200 calls of the clock are enough to judge every reply to every move of a
#: lost game.
JUDGED_LEFT = 9


def winner_of(position: Position) -> int:
    """Return the winner, 1 or 2, by the atlas or the kernel; the leader if the game is over."""
    return 1 if JUDGE.reaches(position, BLACK_WINS) else 2


def winning_move(position: Position) -> int:
    """Return the first move that keeps the mover's win."""
    return next(move for move in position.legal_moves() if winner_of(position.play(move)) == position.mover)


def at_random(seed: int) -> Opponent:
    rng = random.Random(seed)
    return lambda position: rng.choice(position.legal_moves()[:-1] or [PASS])


@dataclass
class Call:
    """A call of the host: the shown state, all texts written to ``output.txt``, and the last note."""

    state: State
    written: list[str]
    noted: list[object]


@dataclass
class Desk:
    """A directory in which the player is called. ``calls`` are the calls of the last game, and ``errors`` is the last
    standard error.
    """

    folder: Path
    calls: list[Call] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    asked: list[Position] = field(default_factory=list)

    def call(self, state: State) -> str:
        """Call the player as the host does, and return the final ``output.txt``."""
        (self.folder / "input.txt").write_text(input_text(state))
        (self.folder / "output.txt").unlink(missing_ok=True)
        self.written.clear()
        assert player.main() == 0
        answer = (self.folder / "output.txt").read_text("ascii")
        assert answer == self.written[-1]
        # If the ply is certain, no other ply is considered.
        first, *others = self.asked
        assert first._replace(ply=0) == state.position._replace(ply=0)
        noted = games_noted(self.folder)[str(state.position.mover)]
        assert not (others and noted[-1][2])
        self.calls.append(Call(state, [*self.written], [*noted[-1]]))
        return answer

    def play(self, colour: int, opponent: Opponent, state: State = OPENING) -> State:
        """Play a game as a colour from a state to the end; return the final state."""
        self.calls = []
        while state.result is None:
            mine = state.position.mover == colour
            state = judge(state, self.call(state) if mine else move_name(opponent(state.position)))
        return state


@pytest.fixture
def desk(tmp_path: Path, ticking: TickingClock, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A directory without a book, in which each call of the player may call the clock 200 times."""
    found = Desk(tmp_path)

    def spy(path: str, move: int) -> None:
        write_move(path, move)
        found.written.append((tmp_path / path).read_text("ascii"))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / SCRIPT)])

    def asking(positions: list[Position], *given: Any, game: Variant) -> MoveChoice:
        found.asked = positions
        return choose_unsure(positions, *given, game=game)

    monkeypatch.setattr(player, "write_move", spy)
    monkeypatch.setattr(player, "choose_unsure", asking)
    monkeypatch.setattr(player, "clock_from", lambda: Clock(0.2, ticking()))
    return found


def keeps_the_win(call: Call) -> bool:
    """Return whether the mover still wins after the final move."""
    position = call.state.position
    return winner_of(position.play(parse_move(call.written[-1]))) == position.mover


def check_calls(desk: Desk) -> None:
    """Each call writes an early move, and then the chosen move if it is different. The ply is always known."""
    for call in desk.calls:
        position = call.state.position
        early = move_name(quick_move(position, game=COURSE))
        assert call.written[0] == early
        assert len(call.written) <= 2
        assert len(set(call.written)) == len(call.written)
        after = position.play(parse_move(call.written[-1]))
        assert call.noted == ["".join(after.rows()), position.ply + 1, True]
    assert any(len(call.written) == 2 for call in desk.calls)


@pytest.mark.parametrize(("colour", "seed"), [(1, 2), (2, 1)])
def test_with_the_book_a_won_game_stays_won(
    desk: Desk, colour: int, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(ROOT / "book.json", desk.folder)
    end = desk.play(colour, at_random(seed))
    assert end.result is not None
    assert (end.result.winner, end.result.reason) == (colour, "max")
    won = [call for call in desk.calls if winner_of(call.state.position) == colour]
    # Black wins from the start, and White after a mistake.
    assert len(won) == 12 if colour == 1 else len(won) >= 10
    assert [call.state.position.ply for call in won if not keeps_the_win(call)] == []
    check_calls(desk)
    assert capsys.readouterr().err == ""


@pytest.mark.system
@pytest.mark.parametrize("colour", [1, 2])
def test_without_a_book_a_game_that_is_won_near_its_middle_stays_won(
    desk: Desk, colour: int, capsys: pytest.CaptureFixture[str]
) -> None:
    end = desk.play(colour, at_random(3))
    assert end.result is not None
    assert end.result.winner == colour
    late = [call for call in desk.calls if call.state.position.left <= 13 and winner_of(call.state.position) == colour]
    assert len(late) >= 6
    assert [call.state.position.ply for call in late if not keeps_the_win(call)] == []
    check_calls(desk)
    assert capsys.readouterr().err.splitlines() == ["little-go: book.json: not found: playing without a book"] * 12


@pytest.mark.parametrize("colour", [1, pytest.param(2, marks=pytest.mark.system)])
def test_a_lost_game_is_played_to_its_end_with_the_hardest_moves(desk: Desk, colour: int) -> None:
    shutil.copy(ROOT / "book.json", desk.folder)
    state = OPENING
    if colour == 1:
        # Independent of Black's answer, the game continues with a losing move.
        desk.call(state)
        state = judge(judge(state, "0,0"), "2,2")
    end = desk.play(colour, winning_move, state)
    assert end.result is not None
    assert (end.result.winner, end.result.reason) == (3 - colour, "max")
    for call in desk.calls:
        position = call.state.position
        assert position.ply == 0 or winner_of(position) == 3 - colour
        if position.left <= JUDGED_LEFT:
            holding = {move: replies_that_hold(position.play(move)) for move in position.legal_moves()}
            move = parse_move(call.written[-1])
            assert holding[move] == min(holding.values()), position
            assert move != PASS or not position.pass_ends


def replies_that_hold(position: Position) -> int:
    """Return the number of moves after which the mover still wins; a large number if the game is over."""
    if position.is_over:
        return 99
    return sum(winner_of(position.play(move)) == position.mover for move in position.legal_moves())


@pytest.mark.system
@pytest.mark.parametrize("colour", [1, 2])
def test_what_another_game_left_behind_changes_no_move(desk: Desk, colour: int) -> None:
    shutil.copy(ROOT / "book.json", desk.folder)
    end = desk.play(colour, at_random(2))
    answers = [call.written for call in desk.calls]
    # The directory now has the notes of a game of each colour, and one of them is this game.
    desk.play(3 - colour, at_random(4))
    assert games_noted(desk.folder).keys() == {"1", "2"}
    again = desk.play(colour, at_random(2))
    assert again == end
    assert [call.written for call in desk.calls] == answers
    check_calls(desk)


def test_taken_over_in_the_middle_the_ply_is_a_guess_and_the_win_is_kept(desk: Desk) -> None:
    """The notes of another game do not fit, so the move must win at each possible ply."""
    desk.play(1, at_random(1))
    state = OPENING
    opponent = at_random(2)
    while state.position.ply < 12:
        move = winning_move(state.position) if state.position.mover == 1 else opponent(state.position)
        state = judge(state, move_name(move))
    assert winner_of(state.position) == 1
    desk.calls = []
    answer = parse_move(desk.call(state))
    assert desk.calls[0].noted[2] is False
    assert [position.ply for position in desk.asked] == [12, 14, 16, 18, 20, 22]
    least = desk.calls[0].noted[1]
    assert isinstance(least, int)
    # The first five possible plies are tested.
    for ply in range(least - 1, least + 8, 2):
        after = state.position._replace(ply=ply).play(answer)
        assert winner_of(after) == 1, ply
    # After this the player counts the plies, but it does not trust its count.
    end = desk.play(1, opponent, judge(state, move_name(answer)))
    assert end.result is not None
    assert end.result.winner == 1
    assert {call.noted[2] for call in desk.calls} == {False}


def test_the_built_script_writes_the_same_moves(desk: Desk) -> None:
    """Each call is a process with enough time, so both find the exact move."""
    shutil.copy(ROOT / "book.json", desk.folder)
    shutil.copy(ROOT / SCRIPT, desk.folder)
    desk.play(2, at_random(1))
    environment = {**os.environ, BUDGET_VARIABLE: str(MOST_BUDGET), "PYTHONDONTWRITEBYTECODE": "1"}
    (desk.folder / MEMORY_FILE).unlink()
    for call in desk.calls[:7]:
        (desk.folder / "input.txt").write_text(input_text(call.state))
        (desk.folder / "output.txt").unlink()
        done = subprocess.run(
            [sys.executable, "-I", "-S", SCRIPT], cwd=desk.folder, env=environment, capture_output=True, text=True
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (desk.folder / "output.txt").read_text("ascii") == call.written[-1]
        assert games_noted(desk.folder)["2"][-1][1:] == [call.state.position.ply + 1, True]
