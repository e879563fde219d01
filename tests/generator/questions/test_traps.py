"""Traps: the chance that a reply errs, by class of opponents."""

from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from little_go.book.files.atlas import SEARCH
from little_go.book.store.facts import Fact
from little_go.generator.opponents.population import CLASSES, EXACT_LEFT, open_population, plus, times, total
from little_go.generator.questions.traps import (
    FAR_BEHIND,
    IGNORED_SHARE,
    LAST_TRAP,
    LEAST_REACH,
    NEARLY_AS_GOOD,
    RANKED_STONES,
    RANKING,
    TRIED_ELSEWHERE,
    Trap,
    Traps,
    TrapSearch,
)
from little_go.generator.workers.search_run import SearchRun
from little_go.generator.workers.worker import Job, JobResult, WorkerKernel
from little_go.solver.answer import BLACK_WINS, Answer
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE, Variant
from little_go.solver.native import distinct_steps
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, START, Position, play_all
from little_go.solver.symmetry import canonical_key, key_of, position_of

POPULATION = open_population(COURSE)

#: A lost position with 7 plies left and White to move, in which no move ends the game.
LOST = position_of(canonical_key(Position(black=1389316, white=4720866, ply=16).play(24)))


@pytest.fixture(scope="module")
def worker() -> WorkerKernel:
    return WorkerKernel(Kernel(open_table(16)))


@pytest.fixture
def search_run(worker: WorkerKernel) -> SearchRun:
    """A run that does each job immediately and stores nothing."""

    def each(jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        for job in jobs:
            yield [JobResult(job, job.do(worker), [], 0, 0.0, 0)]

    return cast(SearchRun, SimpleNamespace(each=each, record=lambda facts: None))


def test_what_a_job_came_by_is_stored(worker: WorkerKernel) -> None:
    stored: list[Fact] = []
    kept = [(START.play(12), Answer(3, 24, None, 70_000))]

    def each(jobs: Iterable[Job]) -> Iterator[list[JobResult]]:
        for job in jobs:
            yield [JobResult(job, job.do(worker), kept, 0, 0.0, 0)]

    search_run = cast(SearchRun, SimpleNamespace(each=each, record=stored.extend))
    traps = Traps(search_run, lambda *_: None, game=COURSE)
    list(traps.choices([LOST]))
    assert stored
    assert all(each == Fact(START.play(12), 3, 24, nodes=70_000, origin=SEARCH) for each in stored)


def winner(position: Position) -> int | None:
    return COURSE.leader(position) if position.is_over else COURSE.winner(ExactSolver().decide(position, BLACK_WINS))


def lost_positions() -> list[Position]:
    """Return lost positions with White to move, in which White has several moves."""
    first = Position(black=1389316, white=4720866, ply=16)
    after = [first.play(move) for move in first.legal_moves()]
    return [position for position in after if not position.is_over and winner(position) == 1]


def test_errors_and_holds_are_the_replies_by_their_true_result(worker: WorkerKernel) -> None:
    for position in lost_positions():
        for trap in TrapSearch(position, POPULATION.weights, game=COURSE).do(worker):
            child = position.play(trap.move)
            after = {reply: child.play(reply) for reply in child.legal_moves()}
            chances = POPULATION.chances(child, [reply for reply in after if winner(after[reply]) == 1])
            errors = [chances[reply] for reply in after if winner(after[reply]) == 2]
            expected = total(times(POPULATION.weights, sum_of(errors)))
            found = total(times(POPULATION.weights, trap.errors))
            assert found == pytest.approx(expected, abs=IGNORED_SHARE * len(after))
            assert {key for key in trap.holds if winner(position_of(key)) != 1} == set()


def sum_of(masses: list[Any]) -> Any:
    result = (0.0,) * len(POPULATION.names)
    for mass in masses:
        result = plus(result, mass)
    return result


def test_only_moves_far_behind_are_left_out(worker: WorkerKernel) -> None:
    left_out = 0
    for position in lost_positions():
        found = {trap.move: total(times(POPULATION.weights, trap.errors)) for trap in at_once(position, worker)}
        kept = {trap.move for trap in TrapSearch(position, POPULATION.weights, game=COURSE).do(worker)}
        best = max(found.values())
        assert all(best - found[move] <= FAR_BEHIND + 1e-9 for move in kept)
        left_out += len(found) - len(kept)
        # Of moves that lead to the same position, only one is tried.
        missing = {move for move in found.keys() - kept if best - found[move] < FAR_BEHIND - 1e-9}
        images = {canonical_key(position.play(move)) for move in kept}
        assert {canonical_key(position.play(move)) for move in missing} <= images
    assert left_out


def test_traps_depend_on_the_shares_of_the_classes_and_not_on_their_sum(worker: WorkerKernel) -> None:
    few = tuple(weight / 100 for weight in POPULATION.weights)
    for position in lost_positions():
        usual, found = (TrapSearch(position, each, game=COURSE).do(worker) for each in (POPULATION.weights, few))
        assert found == usual


def at_once(position: Position, worker: WorkerKernel) -> list[Any]:
    moves = tuple(move for move in position.legal_moves() if not position.play(move).is_over)
    return TrapSearch(position, POPULATION.weights, moves, game=COURSE).do(worker)


def test_the_choice_is_the_best_or_nearly(search_run: SearchRun, worker: WorkerKernel) -> None:
    """The chance is at least the chance of an immediate error, and nearly as high as after any other move."""
    traps = Traps(search_run, lambda *_: None, game=COURSE)
    positions = lost_positions()
    for choice in traps.choices(positions):
        found = {trap.move: total(times(POPULATION.weights, trap.errors)) for trap in at_once(choice.position, worker)}
        assert choice.chance is not None
        assert choice.chance >= found.get(choice.move, 0.0) - 1e-9
        assert choice.chance >= max(found.values(), default=0.0) - NEARLY_AS_GOOD - 1e-9


def test_likely_replies_that_leave_plies_for_another_trap_are_followed(search_run: SearchRun) -> None:
    def key(left: int, stones: int = 0) -> int:
        return key_of(Position(black=stones, ply=GAME_PLIES - left))

    all_, few, fewer = ((share,) * len(POPULATION.names) for share in (1.0, 1.01 * LEAST_REACH, 0.99 * LEAST_REACH))
    holds = {key(LAST_TRAP): all_, key(LAST_TRAP - 1): all_, key(9, 1): few, key(9, 2): fewer}
    traps = Traps(search_run, lambda *_: None, game=COURSE)
    followed = traps._likely(Trap(key(7), 0, all_, holds), POPULATION.weights)
    assert followed == {key(LAST_TRAP): POPULATION.weights, key(9, 1): times(POPULATION.weights, few)}


def test_where_no_move_works_the_one_that_a_search_prefers_is_played(search_run: SearchRun) -> None:
    """Black cannot win by 13 stones in 12 plies, even if the opponent errs. So he plays the best move."""
    game = Variant(12, 12.5)
    traps = Traps(search_run, lambda *_: None, game)
    traps.begin(game.start, 1)
    second = game.start.play(12).play(7)
    kernel = Kernel(open_table(16))
    for position in (game.start, second):
        (choice,) = traps.choices([position_of(canonical_key(position))])
        values = [kernel.value(after).lo for _, _, after in distinct_steps(choice.position) if not after.is_over]
        assert choice.chance == 0.0
        assert kernel.value(choice.position.play(choice.move)).lo == max(values) > min(values)


def test_what_was_played_tells_the_class(search_run: SearchRun) -> None:
    """After 2,2 the share of searching opponents is larger than before."""
    traps = Traps(search_run, lambda *_: None, game=COURSE)
    traps.begin(START, 2)
    here = traps._weights_at(START.play(12))
    searching = [False] * (len(POPULATION.names) - len(CLASSES)) + [True] * len(CLASSES)
    assert total(here, searching) / total(here) > 0.6 > total(POPULATION.weights, searching)
    corner = traps._weights_at(START.play(0))
    assert total(corner, searching) / total(corner) < 0.1


def test_chances_sum_to_one_in_every_class() -> None:
    position = play_all(START, [12, 7])
    chances = POPULATION.chances(position, [])
    assert set(chances) == set(position.legal_moves())
    assert sum_of(list(chances.values())) == pytest.approx([1.0] * len(POPULATION.names))
    assert total(POPULATION.weights) == pytest.approx(1)


def test_who_plays_exactly_holds() -> None:
    position = Position(black=1389316, white=4720866, ply=16)
    holding = position.legal_moves()[:2]
    chances = POPULATION.chances(position, holding)
    for at, each in enumerate(CLASSES, len(POPULATION.names) - len(CLASSES)):
        exactly = sum(chances[move][at] for move in holding) == pytest.approx(1)
        assert exactly == (each.exact_left >= position.left)
    assert {each.exact_left for each in CLASSES} == set(EXACT_LEFT)


def test_elsewhere_the_moves_that_a_search_prefers_are_tried_first() -> None:
    game = Variant(12, 12.5)
    position = game.start.play(12).play(7)
    scores = RANKING.scores(position, RANKED_STONES * RANKING.evaluation[0])
    tried = TrapSearch(position, POPULATION.weights, game=game)._moves_to_try()
    ranked = [scores.get(move) for move in tried]
    known = [score for score in ranked if score is not None]
    assert known == sorted(known, reverse=True)
    assert ranked[: len(known)] == known
    assert len(tried) == min(TRIED_ELSEWHERE, len({key for _, key, _ in distinct_steps(position)}))
    # A move that the search ranks far behind is not better than the worst move that it does not.
    some = {tried[-1]: -10}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(RANKING), "scores", lambda *_: some)
        assert TrapSearch(position, POPULATION.weights, game=game)._moves_to_try()[0] == tried[-1]
