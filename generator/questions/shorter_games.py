"""Solve games of 8, 10, 12, … plies one after another, because the shorter games guide the search of the longer ones.

A game of N plies is the empty board with N plies left. The key of the transposition table contains the plies left, so
the entries of a shorter game are valid in a longer game, whose search tries the stored best moves first. First the
winner of each game is decided, and then the winner after each first move of the longest game. If exact values are
requested, more questions of the form "is the value T or more?" are searched. At the end, a line of best play is solved
to the end of the game.

All workers search the same question on one table, and each postpones the positions that another worker is searching.
After a slice of nodes a worker returns its most expensive results, which go into the store. A later run writes the
stored results into its table. So a run can be stopped at any moment, and loses only the current slices.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from little_go.book.files.atlas import SEARCH
from little_go.book.store.facts import Contradiction, Fact
from little_go.crew.jobs import TICK
from little_go.generator.workers.search_crew import Stopped
from little_go.generator.workers.search_run import SearchRun
from little_go.generator.workers.worker import SLICE_NODES, JobResult, QuestionJob
from little_go.notation.record import to_record
from little_go.solver.answer import Answer, goal_of
from little_go.solver.bounds import UNKNOWN
from little_go.solver.family import Variant
from little_go.solver.native import distinct_steps
from little_go.solver.position import Position, move_name, start_of

_log = logging.getLogger(__name__)

#: The number of plies of the first game.
FIRST_GAME = 8


@dataclass(frozen=True)
class QuestionProgress:
    """The state of a run, for its display.

    left, threshold: the question is whether the value of the position with ``left`` plies left is ``threshold`` or
    more. nodes: the number of nodes that this run has searched for the question. all_nodes: the number of nodes that
    this run has searched. facts: the number of facts that this run has recorded.
    """

    left: int
    threshold: int
    nodes: int
    all_nodes: int
    facts: int


#: A function that is called when a position is solved, with its name, its answer, and the seconds that this run took.
Finished: TypeAlias = Callable[[str, Answer, float], None]


class ShorterGames:
    """The search of games of increasing length: it submits questions to the crew, and stores the facts."""

    def __init__(self, search_run: SearchRun, watch: Callable[[QuestionProgress], None], game: Variant) -> None:
        """watch: a function that is called with the state after each change.

        game: the game, whose komi determines the winner.
        """
        self._game = game
        self._search_run = search_run
        self._watch = watch
        self._facts = 0

    def solve_all(self, plies: int, exact: bool, finished: Finished) -> None:
        """Find the winner of each game up to ``plies`` (even, 2 to 24), and the winner after each first move of the
        last game.

        exact: whether also to find the exact values of the last game, of its first moves, and of the positions on a
        line of best moves. finished: a function that is called with each solved position. Raise Stopped if the run is
        stopped, and CrewError or StoreError if the workers or the store fail.
        """
        for game in range(min(FIRST_GAME, plies), plies, 2):
            self._finish(f"{game:2d} plies", start_of(game), False, finished)
        start = self._game.start if plies == self._game.plies else start_of(plies)
        self._finish(f"{plies:2d} plies", start, exact, finished)
        for move, _, child in distinct_steps(start):
            name = f"{plies:2d} plies, {move_name(move)} first"
            if child.is_over:
                finished(name, Answer(child.margin, child.margin, None, 0), 0.0)
            else:
                self._finish(name, child, exact, finished)
        if exact:
            self._follow_best(start, finished)

    def _finish(self, name: str, position: Position, exact: bool, finished: Finished) -> None:
        started, nodes = time.monotonic(), self._search_run.crew.nodes
        answer = self.solve(position, exact)
        answer, seconds = answer._replace(nodes=self._search_run.crew.nodes - nodes), time.monotonic() - started
        _log.info("%s: %s, %.1f s", name, answer, seconds)
        finished(name, answer, seconds)

    def _follow_best(self, start: Position, finished: Finished) -> None:
        """Follow a line of best play to the end of the game, and solve each position on it.

        If several moves are best, the line has the move with the least number. So the line depends only on the rules,
        and not on the history of the store.
        """
        started, nodes = time.monotonic(), self._search_run.crew.nodes
        position, value = start, self.solve(start, True).value
        while value is not None and not position.is_over:
            position = self._after_least_best(position, value)
        answer = Answer(position.margin, position.margin, None, self._search_run.crew.nodes - nodes)
        finished("principal variation", answer, time.monotonic() - started)

    def _after_least_best(self, position: Position, value: int) -> Position:
        """Solve the position after the best move with the least number, and return this position."""
        threshold = goal_of(value, position.black_to_move)
        for move in sorted(position.legal_moves()):
            child = position.play(move)
            if child.is_over:
                if child.margin == value:
                    return child
                continue
            if self._known(child).at_least(threshold) is None:
                self._settle(child, threshold)
            if self._known(child).at_least(threshold) is position.black_to_move:
                self.solve(child, True)
                return child
        raise Contradiction(f"{json.dumps(to_record(position, self._game))}: no move keeps its value {value:+d}")

    def solve(self, position: Position, exact: bool) -> Answer:
        """Find the winner of a position, and return the position's answer.

        exact: whether also to find the exact value.
        """
        ask = self._game.least
        while True:
            known = self._known(position)
            if known.value is not None or (self._game.winner(known) is not None and not exact):
                return known
            threshold = min(max(ask, known.lo + 1), known.hi)
            self._settle(position, threshold)
            ask = threshold + 1 if self._known(position).lo >= threshold else threshold - 1

    def _settle(self, position: Position, threshold: int) -> None:
        """Run searches until it is decided whether the value is ``threshold`` or more."""
        before = self._search_run.crew.nodes
        job = QuestionJob(position, threshold, SLICE_NODES)
        try:
            while self._known(position).at_least(threshold) is None:
                if self._search_run.stop():
                    raise Stopped
                while len(self._search_run.crew) < self._search_run.crew.pool.jobs_at_once:
                    self._search_run.crew.submit(job)
                self._store_results(job, before)
        finally:
            # Even a stopped run waits until the jobs in flight have ended, and stores their results.
            while len(self._search_run.crew):
                self._store_results(job, before)

    def _store_results(self, job: QuestionJob, nodes_before: int) -> None:
        job_results = self._search_run.crew.job_results(TICK)
        if job_results:
            self._facts += self._search_run.record(_facts(job_results))
        all_nodes = self._search_run.crew.live_nodes
        self._watch(
            QuestionProgress(job.position.left, job.threshold, all_nodes - nodes_before, all_nodes, self._facts)
        )

    def _known(self, position: Position) -> Answer:
        return self._search_run.store.answer(position) or UNKNOWN


def _facts(job_results: Iterable[JobResult]) -> list[Fact]:
    """Return the facts of job results.

    An open question gives a fact without a decision, which records the nodes of its search.
    """
    facts: list[Fact] = []
    for job_result in job_results:
        job = job_result.job
        own = []
        if isinstance(job, QuestionJob):
            lo, hi, best, nodes = job_result.result
            own = [Fact(job.position, lo, hi, best, nodes, job_result.seconds, origin=SEARCH)]
        facts += job_result.facts(own)
    return facts
