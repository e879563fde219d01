"""The walk through all positions of the player's games, with the shipped script, correct books and faulty books."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from little_go.book.files.reader import BOOK_LOSS, BOOK_WIN
from little_go.book.files.writer import BookLine, write_book
from little_go.crew.jobs import Crew, ExecutorPool
from little_go.proof import verify
from little_go.proof.__main__ import main
from little_go.proof.verify import (
    Notes,
    Ply,
    Script,
    Walk,
    WalkFailure,
    WalkJob,
    WalkStep,
    _can_be_equal,
    set_script,
    summary,
)
from little_go.solver.answer import Answer
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, Position
from little_go.solver.symmetry import canonical_key, position_of

SCRIPT = Path(__file__).parents[2] / "my_player3.py"

#: A position with 8 plies left and Black to move, who wins by 3.
WON = Position(black=1389316, white=4720866, ply=16)


def winner(position: Position) -> int | None:
    return COURSE.leader(position) if position.is_over else COURSE.winner(ExactSolver().decide(position, 3))


def line(position: Position, *, winning: bool) -> BookLine:
    """Return a book line that claims a win, with a move that wins or does not."""
    position = position_of(canonical_key(position))
    moves = [move for move in position.legal_moves() if (winner(position.play(move)) == position.mover) == winning]
    return BookLine(canonical_key(position), moves[0], BOOK_WIN)


def crew_of(executor: Executor) -> Crew[WalkJob, list[WalkStep]]:
    return Crew(lambda: ExecutorPool(executor, verify.walk, 1))


@contextmanager
def walk(book: Path, colour: int, start: Position = WON) -> Iterator[Callable[[int], list[Ply]]]:
    with ThreadPoolExecutor(1, initializer=set_script, initargs=(SCRIPT, book)) as executor:
        yield lambda last_ply: list(
            Walk(crew_of(executor), colour, lambda *_: None, game=COURSE).plies(start, last_ply)
        )


def book_with(path: Path, *lines: BookLine) -> Path:
    write_book(lines, path, game=COURSE)
    return path


def test_a_win_is_kept_whatever_the_other_side_plays(tmp_path: Path) -> None:
    book = book_with(tmp_path / "book.json", line(WON, winning=True))
    with walk(book, 1) as plies:
        seen = plies(18)
    assert [(ply.ply, ply.won) for ply in seen] == [(ply.ply, ply.positions) for ply in seen]
    assert [ply.ply for ply in seen] == [16, 18, 20]
    assert seen[0].moves_by == {"book": 1}
    assert set(seen[1].moves_by) <= {"exact", "pass"}
    figures = summary(seen)
    assert figures["positions"] == sum(ply.positions for ply in seen) > 50
    assert 0 < figures["most_nodes"] < 10_000


def test_the_losing_side_is_not_held_to_a_win(tmp_path: Path) -> None:
    book = book_with(tmp_path / "book.json")
    with walk(book, 2) as plies:
        (first,) = plies(16)
    assert first.ply == 17
    assert first.won > 0
    assert first.lost > 0


def test_a_book_move_that_throws_the_win_away_is_found(tmp_path: Path) -> None:
    book = book_with(tmp_path / "book.json", line(WON, winning=False))
    with walk(book, 1) as plies, pytest.raises(WalkFailure, match=r"ply 18: a position that should be won is not"):
        plies(18)


def test_a_claim_that_the_winner_loses_is_found(tmp_path: Path) -> None:
    right = line(WON, winning=True)
    child = position_of(right.key).play(right.move)
    reply = child.play(child.legal_moves()[0])
    wrong = line(reply, winning=True)._replace(verdict=BOOK_LOSS)
    book = book_with(tmp_path / "book.json", right, wrong)
    with walk(book, 1) as plies, pytest.raises(WalkFailure, match="by book, White wins"):
        plies(18)


def test_the_twin_answers_and_a_sample_and_the_longest_search_are_the_scripts(tmp_path: Path) -> None:
    book = book_with(tmp_path / "book.json", line(WON, winning=True))
    notes = Notes(tmp_path / "notes", Script(SCRIPT, book))
    with ThreadPoolExecutor(1, initializer=set_script, initargs=(SCRIPT, book)) as executor:
        *_, last = Walk(crew_of(executor), 1, lambda *_: None, notes, game=COURSE).plies(WON, 18)
    assert last.most_seconds > 0
    script = Script(SCRIPT, book)
    rows = [json.loads(row) for row in (tmp_path / "notes").read_text().splitlines()[1:] if row]
    timed = 0
    for key, move, source, winner, nodes, seconds, beyond in rows:
        plain = script.answer(key, beyond, True)
        assert (move, source, winner, nodes) == (plain.move, plain.source, plain.winner, plain.nodes)
        timed += seconds > 0
    assert timed < len(rows) // 5


def test_won_positions_whose_search_is_longer_than_asked_are_listed(tmp_path: Path) -> None:
    book = book_with(tmp_path / "book.json")
    with ThreadPoolExecutor(1, initializer=set_script, initargs=(SCRIPT, book)) as executor:
        walks = [
            Walk(crew_of(executor), 1, lambda *_: None, slow_nodes=nodes, game=COURSE) for nodes in (None, 0, 1 << 40)
        ]
        for each in walks:
            list(each.plies(WON, 16))
    assert [each.slow[:1] for each in walks] == [[], [position_of(canonical_key(WON))], []]


def test_a_twin_that_differs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(ExactSolver):
        def decide(self, *args: Any, **options: Any) -> Answer:
            answer = super().decide(*args, **options)
            return answer._replace(nodes=answer.nodes + 1)

    monkeypatch.setattr("little_go.proof.verify.TwinSolver", Other)
    monkeypatch.setattr("little_go.proof.verify.SAMPLE", 1)
    script = Script(SCRIPT, book_with(tmp_path / "book.json"))
    with pytest.raises(WalkFailure, match="the search in C differs"):
        script.answer(canonical_key(WON), True, False)


FOUND = WalkStep(canonical_key(WON), 12, "exact", WON.mover, 100, 0.1)


@pytest.mark.parametrize(
    ("agree", "plain", "twin"),
    [
        (True, {}, {}),
        (False, {}, {"nodes": 101}),
        (False, {}, {"winner": 1 - WON.mover}),
        (False, {}, {"move": 13}),
        # In a lost position any move is accepted.
        (True, {"winner": 1 - WON.mover}, {"winner": 1 - WON.mover, "move": 13}),
        # The positions that are not repeated had no search, or the clock may have ended the search.
        (True, {}, {"source": "book", "nodes": 0}),
        (True, {"source": "book", "nodes": 0}, {}),
        (True, {}, {"winner": None, "nodes": 99}),
        (True, {"winner": None, "nodes": 99}, {}),
    ],
)
def test_which_searches_can_be_the_same(agree: bool, plain: dict[str, Any], twin: dict[str, Any]) -> None:
    assert _can_be_equal(replace(FOUND, **plain), replace(FOUND, **twin)) == agree


IGNORANT = """
from little_go.book.files.reader import BookError, read_book
from little_go.player.choose import MoveChoice
from little_go.player.clock import Clock
from little_go.solver.answer import Answer
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.symmetry import position_of

GAME = COURSE

def choose_move(position, clock, book, game):
    return MoveChoice(12 if position.ply == 0 else 25, "search")

def decide_turned(solver, position, game):
    return Answer(-24, 24, 25, 1)
"""


def test_the_command_walks_as_far_as_the_book_reaches_and_one_ply_of_ours_on(tmp_path: Path) -> None:
    script = tmp_path / "ignorant.py"
    script.write_text(IGNORANT)
    book = book_with(tmp_path / "book.json", BookLine(canonical_key(Position()), 12, BOOK_LOSS))
    options = ["verify", "--player", str(script), "--book", str(book), "--workers", "1"]
    done = CliRunner().invoke(main, options)
    assert done.exit_code == 0, done.output
    first, second, last = done.output.strip().splitlines()
    assert first == "ply  0:        1 positions, 1 undecided; moves: search 1"
    assert second.startswith("ply  2:        6 positions, 6 undecided; moves: exact 6; worst exact search 1 nodes")
    assert last.startswith("black: 7 positions walked, no path gives up a win; worst exact search 1 nodes")


def test_a_stopped_walk_goes_on_from_its_notes(tmp_path: Path) -> None:
    book = book_with(tmp_path / "book.json", line(WON, winning=True))
    path = tmp_path / "notes"

    def seen(times: int | None, change: str | None = None) -> list[Ply]:
        """Walk, and stop after a number of reports."""
        reports = iter(range(times or 10**6))
        notes = Notes(path, Script(SCRIPT, book))
        with ThreadPoolExecutor(1, initializer=set_script, initargs=(SCRIPT, book)) as executor:
            return list(Walk(crew_of(executor), 1, lambda *_: next(reports), notes, game=COURSE).plies(WON, 18))  # type: ignore[arg-type]

    with pytest.raises(RuntimeError):
        seen(2)
    with open(path, "a", encoding="ascii") as file:
        file.write("[123, 4, ")
    noted = len(Notes(path, Script(SCRIPT, book)))
    assert noted > 10
    whole = seen(None)
    assert len(Notes(path, Script(SCRIPT, book))) == sum(ply.positions for ply in whole)
    before = path.stat().st_mtime_ns
    assert seen(1) == whole
    assert path.stat().st_mtime_ns == before
    book_with(book, line(WON, winning=False))
    # Statements of another book are not used, but the results of the script's own searches are.
    assert len(Notes(path, Script(SCRIPT, book))) == sum(ply.positions for ply in whole) - 1
    with pytest.raises(WalkFailure):
        seen(None)
    # The same move with a different verdict is a different statement.
    claim = line(WON, winning=True)
    for verdict, known in ((claim.verdict, True), (BOOK_LOSS, False)):
        book_with(book, claim._replace(verdict=verdict))
        step = WalkStep(claim.key, claim.move, "book", 1, 0, 0.0)
        assert Script(SCRIPT, book).matches_book(step) == known


SLOW = (
    IGNORANT
    + """
import time

def decide_turned(solver, position, game):
    time.sleep(60)
"""
)


def test_a_killed_walk_leaves_no_worker(tmp_path: Path) -> None:
    script = tmp_path / "slow.py"
    script.write_text(SLOW)
    book = book_with(tmp_path / "book.json", BookLine(canonical_key(Position()), 12, BOOK_LOSS))
    command = [
        sys.executable,
        "-m",
        "little_go.proof",
        "verify",
        "--player",
        str(script),
        "--book",
        str(book),
        "--workers",
        "2",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=SCRIPT.parent) as process:
        assert process.stdout is not None
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        deadline = time.monotonic() + 30
        while not (workers := children.read_text().split()):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.kill()
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)


class Steps(ThreadPoolExecutor):
    """A crew whose script plays the given step in every position. ``called``: the positions without the twin."""

    def __init__(self, **step: Any) -> None:
        super().__init__(1)
        self._step = {"move": PASS, "source": "exact", "winner": 1, "nodes": 100, "seconds": 0.0, **step}
        self.called: list[int] = []

    def _walk(self, job: WalkJob) -> list[WalkStep]:
        if not job.without_twin:
            return [WalkStep(key, **self._step) for key in job.keys]
        self.called.extend(job.keys)
        return [WalkStep(key, **{**self._step, "seconds": 0.5}) for key in job.keys]

    def walk(self, colour: int, slow_nodes: int | None = None) -> Walk:
        crew = Crew(lambda: ExecutorPool(self, self._walk, 1))
        return Walk(crew, colour, lambda *_: None, slow_nodes=slow_nodes, game=COURSE)


@pytest.mark.parametrize(
    ("step", "slow_nodes", "ply", "slow"),
    [
        ({}, None, {"won": 1, "most_nodes": 100, "most_seconds": 0.5}, False),
        ({"winner": 2}, 0, {"lost": 1}, False),
        ({"winner": None}, 0, {"open": 1, "most_nodes": 100, "most_seconds": 0.5}, False),
        ({}, 99, {"won": 1, "most_nodes": 100, "most_seconds": 0.5}, True),
        ({}, 100, {"won": 1, "most_nodes": 100, "most_seconds": 0.5}, False),
        ({"source": "book"}, 99, {"won": 1}, False),
        # The script was called without the twin, so its time is known.
        ({"seconds": 0.25}, None, {"won": 1, "most_nodes": 100, "most_seconds": 0.25}, False),
    ],
)
def test_what_a_ply_counts(step: dict[str, Any], slow_nodes: int | None, ply: dict[str, Any], slow: bool) -> None:
    key = canonical_key(WON)
    with Steps(move=position_of(key).legal_moves()[0], **step) as steps:
        walk = steps.walk(1, slow_nodes)
        assert next(walk.plies(WON, 16)) == Ply(16, **ply, moves_by={step.get("source", "exact"): 1})
    assert walk.slow == ([position_of(key)] if slow else [])
    assert steps.called == ([key] if ply.get("most_seconds") == 0.5 else [])


@pytest.mark.parametrize(
    ("stones", "ply", "colour", "claim", "fails"),
    [
        # White's PASS ends the game. Two stones are enough for White.
        (3, 23, 2, 2, True),
        (2, 23, 2, 2, False),
        (3, 23, 2, 1, False),
        (3, 23, 2, None, False),
        # After Black's PASS, White's last stone makes Black's lead smaller.
        (3, 22, 1, 1, True),
        (4, 22, 1, 1, False),
        (3, 22, 1, 2, False),
        (3, 22, 1, None, False),
    ],
)
def test_a_claimed_win_that_ends_as_a_loss_is_found(
    stones: int, ply: int, colour: int, claim: int | None, fails: bool
) -> None:
    position = Position(black=(1 << stones) - 1, ply=ply)
    with Steps(winner=claim) as steps:
        plies = steps.walk(colour).plies(position, ply)
        if fails:
            with pytest.raises(WalkFailure, match=f"ply {ply}: a position that should be won is not: by exact, "):
                list(plies)
        else:
            assert [each.ply for each in plies] == [ply]


def test_the_progress_of_each_ply_includes_the_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "BATCH", 2)
    book = book_with(tmp_path / "book.json", line(WON, winning=True))
    shown: list[tuple[int, int, int]] = []

    def walked(most: int) -> list[Ply]:
        """Walk until the number of shown parts is reached."""

        def show(*part: int) -> None:
            shown.append(part)  # type: ignore[arg-type]
            if len(shown) == most:
                raise KeyboardInterrupt

        notes = Notes(tmp_path / "notes", Script(SCRIPT, book))
        with ThreadPoolExecutor(1, initializer=set_script, initargs=(SCRIPT, book)) as executor:
            return list(Walk(crew_of(executor), 1, show, notes, game=COURSE).plies(WON, 16))

    with pytest.raises(KeyboardInterrupt):
        walked(3)
    first = [*shown]
    shown.clear()
    plies = walked(1000)
    assert first == [(16, 1, 1), (18, 2, 9), (18, 4, 9)]
    assert shown == [(18, 6, 9), (18, 8, 9), (18, 9, 9)]
    assert [ply.positions for ply in plies] == [1, 9]


def test_a_walk_without_a_ply_has_figures() -> None:
    assert summary([]) == {"plies": [], "positions": 0, "most_nodes": 0, "most_seconds": 0.0}
