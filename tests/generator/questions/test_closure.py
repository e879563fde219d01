"""The closure of small games: it has every position that our play can lead to, and right choices."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from little_go.book.answers.strategy import replies_after
from little_go.book.store.facts import Choice
from little_go.book.store.store import open_store
from little_go.generator.__main__ import main
from little_go.generator.questions import closure
from little_go.generator.questions.closure import PROBE_NODES, Closure, Level, Plan, Planning, _fact, plan
from little_go.generator.questions.traps import Traps
from little_go.generator.workers.search_crew import Crew, ProcessPool
from little_go.generator.workers.search_run import SearchRun
from little_go.generator.workers.shared_memory import Shared
from little_go.generator.workers.worker import WorkerKernel
from little_go.proof.__main__ import main as proof_main
from little_go.solver.answer import BLACK_WINS, Answer
from little_go.solver.bounds import UNKNOWN
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.native.twin import TwinSolver
from little_go.solver.position import GAME_PLIES, PASS, Position
from little_go.solver.symmetry import canonical_key, key_of, position_of, transform
from tests.background import run_inside

#: A position with 8 plies left and Black to move, who wins by 3.
START = Position(black=1389316, white=4720866, ply=16)
LAST_LEFT = 3
SOLVER_NODES = 60


def close(
    db: Path, colour: int, workers: int = 2, watch: Callable[[str, int, int], None] = lambda *_: None
) -> list[Level]:
    levels: list[Level] = []
    shared = Shared.make(16, processes=True)
    crew = Crew(partial(ProcessPool, workers, shared, 100_000, 0))
    try:
        with open_store(db, write=True, game=COURSE) as store:
            search_run = SearchRun(store, crew, store.start_run({}), shared=shared)
            traps = Traps(search_run, lambda *_: None, game=COURSE)
            Closure(search_run, traps, SOLVER_NODES, watch, game=COURSE).close(START, colour, LAST_LEFT, levels.append)
    finally:
        crew.close()
    return levels


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The closures of both colours."""
    db = tmp_path_factory.mktemp("closure") / "book.db"
    black, white = close(db, 1), close(db, 2)
    assert [level.ply for level in black] == [16, 18, 20]
    assert [level.ply for level in white] == [17, 19, 21]
    assert all(level.won == level.positions for level in black)
    assert all(0 < level.won < level.positions for level in white)
    return db


def choices(db: Path) -> dict[Position, Choice]:
    with open_store(db, game=COURSE) as store:
        return {choice.position: choice for choice, _ in store.choices()}


def winner(position: Position) -> int:
    if position.is_over:
        return COURSE.leader(position)
    found = COURSE.winner(ExactSolver().decide(position, BLACK_WINS))
    assert found is not None
    return found


def followers(choice: Choice) -> list[Position]:
    child = choice.position.play(choice.move)
    return [child] if child.is_over else [child.play(reply) for reply in child.legal_moves()]


def test_sixteen_processes_on_fewer_cores_choose_winning_moves_too(tmp_path: Path) -> None:
    shown: dict[str, list[tuple[int, int]]] = {}
    watch = lambda what, done, total: shown.setdefault(what, []).append((done, total))  # noqa: E731
    levels = close(tmp_path / "book.db", 1, 16, watch)
    assert [(level.ply, level.won == level.positions) for level in levels] == [(16, True), (18, True), (20, True)]
    chosen = choices(tmp_path / "book.db")
    assert len(chosen) == sum(level.positions for level in levels)
    for level in levels:
        steps = shown[f"ply {level.ply}: who wins, and how"]
        assert steps == sorted(steps)
        assert steps[-1] == (level.positions, level.positions)
        here = [choice.solver_nodes for choice in chosen.values() if choice.position.ply == level.ply]
        assert level.alone == sum(nodes is not None for nodes in here)
    assert {winner(choice.position.play(choice.move)) for choice in chosen.values()} == {1}


def test_every_reply_has_a_choice_of_ours(closed: Path) -> None:
    chosen = choices(closed)
    reached = {canonical_key(START), *(canonical_key(START.play(move)) for move in START.legal_moves())}
    seen = set()
    while reached:
        key = reached.pop()
        seen.add(key)
        for after in followers(chosen[position_of(key)]):
            if not after.is_over and after.left >= LAST_LEFT and canonical_key(after) not in seen:
                reached.add(canonical_key(after))
    assert {canonical_key(position) for position in chosen} == seen
    assert len(seen) > 200


def test_a_won_position_stays_won_and_a_lost_one_was_lost(closed: Path) -> None:
    for choice in list(choices(closed).values())[::7]:
        won = choice.chance is None
        assert (winner(choice.position) == choice.position.mover) == won
        assert not won or {winner(after) for after in followers(choice)} == {choice.position.mover}


def test_what_the_player_finds_by_itself_is_its_own_move(closed: Path) -> None:
    alone = [choice for choice in choices(closed).values() if choice.solver_nodes]
    assert len(alone) > 50
    for choice in alone:
        answer = ExactSolver().decide(choice.position, BLACK_WINS)
        assert (answer.best, answer.nodes) == (choice.move, choice.solver_nodes)
        assert answer.nodes <= 2 * SOLVER_NODES
    others = [choice for choice in choices(closed).values() if choice.solver_nodes is None and choice.chance is None]
    assert others


def test_a_lost_position_has_the_chance_of_its_trap(closed: Path) -> None:
    lost = [choice for choice in choices(closed).values() if choice.chance is not None]
    assert len(lost) > 3
    for choice in lost:
        assert choice.chance is not None
        assert 0 <= choice.chance <= 1 + 1e-9
        held = all(winner(after) == 3 - choice.position.mover for after in followers(choice))
        assert choice.chance > 0 or held


def test_a_closed_closure_is_not_worked_out_again(closed: Path) -> None:
    before = choices(closed)
    with open_store(closed, game=COURSE) as store:
        nodes = {entry.position: entry.nodes for entry in store}
    close(closed, 2)
    assert choices(closed) == before
    with open_store(closed, game=COURSE) as store:
        assert {entry.position: entry.nodes for entry in store} == nodes


def test_fsck_finds_no_fault_in_a_closure(closed: Path) -> None:
    options = ["--db", str(closed), "--left", str(LAST_LEFT)]
    done = run_inside(proof_main, "fsck", *options)
    assert done.returncode == 0, done.stdout
    assert "no faults" in done.stdout


def test_choices_are_turned_with_the_question(closed: Path) -> None:
    turned = transform(5, START)
    with open_store(closed, game=COURSE) as store:
        one, other = store.choice_of(START), store.choice_of(turned)
        assert one is not None
        assert other is not None
        assert canonical_key(START.play(one.move)) == canonical_key(turned.play(other.move))
        assert store.choice_of(Position(ply=2)) is None


@pytest.mark.system
def test_the_command_closes_a_short_game_and_goes_on_where_it_was(tmp_path: Path) -> None:
    options = ["--plies", "6", "--db", str(tmp_path / "book.db"), "--table", "16MiB"]
    assert run_inside(main, "run", *options).returncode == 0
    command = [sys.executable, "-m", "little_go.generator", "closure", "--left", "5", *options]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        # A long step shows its progress.
        told = [line for line in done.stderr.splitlines() if line.startswith(("black, ", "white, "))]
        assert told[-2:] == [
            "black, ply 18:        1 positions, 0 won (0 by the player alone), 1 lost",
            "white, ply 19:        7 positions, 7 won (7 by the player alone), 0 lost",
        ]
        assert "complete" in done.stdout


@pytest.mark.parametrize("solver_nodes", [None, 700])
def test_the_moves_that_win_are_recorded_unless_the_player_finds_one_by_itself(solver_nodes: int | None) -> None:
    position = Position(black=1 << 12, ply=1)
    wins = {7: frozenset({1}), 11: frozenset({2})}
    fact = _fact(Plan(position, Answer(-24, 2, 7, 900), wins, solver_nodes), None, COURSE)
    moves = COURSE.won_by(position.mover)
    assert fact.moves == ({7: moves, 11: moves} if solver_nodes is None else {})
    assert (fact.position, fact.lo, fact.hi, fact.best, fact.nodes) == (position, -24, 2, 7, 900)


@pytest.fixture(scope="module")
def worker() -> WorkerKernel:
    return WorkerKernel(Kernel(open_table(16)))


def late_positions() -> list[Position]:
    """Return positions after START, with 1 to 8 plies left."""
    found, rng = [START], Random(5)
    for _ in range(12):
        position = START
        while not position.is_over:
            found.append(position)
            position = position.play(rng.choice(position.legal_moves()))
    return found


def test_a_plan_has_the_winner_and_moves_that_win(worker: WorkerKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closure, "PLAYER_LEFT", 0)
    lost = 0
    for position in late_positions():
        planned = plan(worker, position, 0, COURSE)
        winning = {move for move in position.legal_moves() if winner(position.play(move)) == position.mover}
        assert planned.position == position
        assert COURSE.winner(planned.answer) == winner(position)
        assert planned.wins == {move: replies_after(position, move) for move in planned.wins}
        assert planned.wins.keys() <= winning
        passes = position.pass_ends and COURSE.leader(position) == position.mover
        assert planned.solver_nodes == (0 if passes else None)
        if passes:
            assert list(planned.wins) == [PASS]
        else:
            # Of moves that lead to the same position, one is enough.
            images = {canonical_key(position.play(move)) for move in planned.wins}
            assert images == {canonical_key(position.play(move)) for move in winning}
            assert len(images) == len(planned.wins)
        lost += not winning
    assert lost > 10


@pytest.mark.parametrize(("most_left", "limit", "alone"), [(7, 10**6, False), (8, 10**6, True), (8, 1, False)])
def test_the_player_s_own_solver_is_tried_near_the_end(
    worker: WorkerKernel, most_left: int, limit: int, alone: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closure, "PLAYER_LEFT", most_left)
    planned = plan(worker, START, limit, COURSE)
    if alone:
        own = ExactSolver().decide(START, BLACK_WINS)
        assert own.best is not None
        assert (planned.wins, planned.solver_nodes) == ({own.best: replies_after(START, own.best)}, own.nodes)
    else:
        assert planned.solver_nodes is None
        assert planned.wins


@pytest.mark.parametrize("sample", [1, key_of(START), key_of(START) + 1])
def test_a_sample_of_the_answers_is_compared_with_the_player_s(
    worker: WorkerKernel, sample: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closure, "SAMPLE", sample)
    assert plan(worker, START, 10**6, COURSE).solver_nodes
    monkeypatch.setattr(ExactSolver, "decide", lambda *_, node_limit: Answer(-24, 24, None, node_limit))
    monkeypatch.setattr(TwinSolver, "decide", lambda *_, node_limit: Answer(3, 24, 24, 7))
    if sample > key_of(START):
        assert plan(worker, START, 10**6, COURSE).solver_nodes == 7
    else:
        with pytest.raises(RuntimeError, match="the twin in C finds "):
            plan(worker, START, 10**6, COURSE)


@pytest.mark.parametrize("left", [24, 20, 19, 18, 17, 16])
def test_other_moves_are_searched_within_a_limit(left: int) -> None:
    position = position_of(canonical_key(Position(black=1 << 12, white=1 << 7, ply=GAME_PLIES - left)))
    best, *_ = position.legal_moves()
    limits = set()

    def decide(child: Position, goal: int, node_limit: int) -> Answer:
        assert (child.left, goal) == (left - 1, BLACK_WINS)
        limits.add(node_limit)
        return UNKNOWN

    fake: Any = SimpleNamespace(
        kernel=SimpleNamespace(decide=decide),
        decide=lambda *_: Answer(*COURSE.won_by(position.mover), best, 1),
    )
    assert plan(fake, position, 0, COURSE).wins == {best: replies_after(position, best)}
    assert limits == {PROBE_NODES[20 if left >= 20 else 18 if left >= 18 else 0]}


def test_the_claims_of_a_job_are_those_of_its_plans(worker: WorkerKernel) -> None:
    positions = tuple(late_positions()[:6])
    job = Planning(positions, 0, COURSE)
    plans = job.do(worker)
    assert [planned.position for planned in plans] == list(positions)
    claimed = job.claims(plans)
    after = {planned.position.play(move) for planned in plans for move in planned.wins}
    assert {position for position, _ in claimed} == {*positions, *(each for each in after if not each.is_over)}
    for position, answer in claimed:
        assert COURSE.winner(answer) == winner(position)
    won = sum(winner(position) == position.mover for position in positions)
    alone = sum(planned.solver_nodes is not None for planned in plans)
    assert job.describe(plans) == f"ply 16, 6 planned: {won} won, {alone} of them by the player alone"
    with pytest.raises(ValueError, match="plans of other positions"):
        job.claims(plans[1:])
    wins = dict(plans[0].wins)
    wins[next(iter(wins))] = frozenset({1})
    with pytest.raises(ValueError, match="a winning move with wrong replies"):
        job.claims([replace(plans[0], wins=wins), *plans[1:]])
