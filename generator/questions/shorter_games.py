"""Solving games of 8, 10, 12, … plies in turn, the shorter ones showing the way for the longer.

The transposition table is keyed by plies left, so a shorter game's entries are true in the longer one, and
its best moves are the first guess there. Each game is the empty board with so many
plies left: who wins it? Last come the positions after each first move of the longest game. Exact values, if
asked, take more "at least T?" questions; then the line of the first best moves is followed to its end.

All workers search the same question at once, on one table, each leaving for later what another is at.
They come back after a slice of nodes with the results that cost most; those go into the store, and from
the store back into the table when a later run starts. So a run may be cut off anywhere and loses no more than
the slices at hand.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from book.files.atlas import SEARCH
from book.store.facts import Contradiction, Fact
from crew.jobs import TICK
from generator.workers.search_crew import Stopped
from generator.workers.search_run import SearchRun
from generator.workers.worker import SLICE_NODES, JobResult, QuestionJob
from notation.record import to_record
from solver.answer import Answer, goal_of
from solver.bounds import UNKNOWN
from solver.family import Variant
from solver.native import distinct_steps
from solver.position import Position, move_name, start_of

_log = logging.getLogger(__name__)

#: The plies of the first game.
FIRST_GAME = 8


@dataclass(frozen=True)
class Standing:
    """The state of a run, to be shown.

    left, threshold: the question: does the position with so many plies left reach so much?
    nodes: searched for it by this run.
    all_nodes, facts: searched, and recorded, by this run.
    """

    left: int
    threshold: int
    nodes: int
    all_nodes: int
    facts: int


#: Called with a finished part of the work: the position's name for people, what is proven, and the seconds of this run.
Finished: TypeAlias = Callable[[str, Answer, float], None]


class ShorterGames:
    """A run through games of more and more plies: questions out to the crew, facts into the store."""

    def __init__(self, shop: SearchRun, watch: Callable[[Standing], None], game: Variant) -> None:
        """Prepare a run; ``watch`` is shown every change. game: who wins is asked by its komi."""
        self._game = game
        self._shop = shop
        self._watch = watch
        self._facts = 0

    def solve_all(self, plies: int, exact: bool, finished: Finished) -> None:
        """Decide who wins every game up to ``plies`` (even, 2 to 24), then after each first move of the last.

        exact: find the exact values of the last game, of its first moves and along a line of best moves too.
        finished: called with each.
        Raises Stopped, CrewError, and StoreError (Contradiction included).
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
        started, nodes = time.monotonic(), self._shop.crew.nodes
        answer = self.solve(position, exact)
        answer, seconds = answer._replace(nodes=self._shop.crew.nodes - nodes), time.monotonic() - started
        _log.info("%s: %s, %.1f s", name, answer, seconds)
        finished(name, answer, seconds)

    def _follow_best(self, start: Position, finished: Finished) -> None:
        """Settle the least of all optimal moves, from a position to the end of the game.

        The line is a function of the rules alone: whatever a store went through, it comes to the same one.
        """
        started, nodes = time.monotonic(), self._shop.crew.nodes
        position, value = start, self.solve(start, True).value
        while value is not None and not position.is_over:
            position = self._after_least_best(position, value)
        answer = Answer(position.margin, position.margin, None, self._shop.crew.nodes - nodes)
        finished("principal variation", answer, time.monotonic() - started)

    def _after_least_best(self, position: Position, value: int) -> Position:
        """Play the least of the best moves, once its exact value is settled and no lesser move can be best."""
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
        """Decide who wins from a position, find its exact value too if asked, and return what is known then.

        Raises as solve_all() does.
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
        """Have the crew decide whether the position reaches the threshold."""
        before = self._shop.crew.nodes
        job = QuestionJob(position, threshold, SLICE_NODES)
        try:
            while self._known(position).at_least(threshold) is None:
                if self._shop.stop():
                    raise Stopped
                while len(self._shop.crew) < self._shop.crew.pool.at_once:
                    self._shop.crew.submit(job)
                self._take_in(job, before)
        finally:
            # Also when stopped: what the workers are at is worth a moment's wait.
            while len(self._shop.crew):
                self._take_in(job, before)

    def _take_in(self, job: QuestionJob, nodes_before: int) -> None:
        findings = self._shop.crew.findings(TICK)
        if findings:
            self._facts += self._shop.store.record(_facts(findings), self._shop.run)
        all_nodes = self._shop.crew.live_nodes
        self._watch(Standing(job.position.left, job.threshold, all_nodes - nodes_before, all_nodes, self._facts))

    def _known(self, position: Position) -> Answer:
        return self._shop.store.answer(position) or UNKNOWN


def _facts(findings: Iterable[JobResult]) -> list[Fact]:
    """Turn findings into facts; a question still open is a fact too: undecided, at such a cost."""
    facts: list[Fact] = []
    for finding in findings:
        job = finding.job
        own = []
        if isinstance(job, QuestionJob):
            lo, hi, best, nodes = finding.result
            own = [Fact(job.position, lo, hi, best, nodes, finding.seconds, origin=SEARCH)]
        facts += finding.facts(own)
    return facts
