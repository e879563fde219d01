"""The closure of a colour: what we play in every position that our own play can lead to.

From the start, our side plays its chosen move and the other side anything legal, PASS too. A won position gets a
winning move, a lost one the move on which opponents most often err (generator.traps). It ends where the
player's own solver is known to decide every position by itself.

Each level, the positions at one of our plies, is planned in parallel; choices go into the store batch by
batch, and a later run goes on from them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from book.store import Choice, Fact, Store
from book.strategy import children, replies
from generator.crew import Crew
from generator.ladder import kept_facts
from generator.planning import Plan, Planning
from generator.traps import Traps
from generator.worker import Finding
from solver.position import Position
from solver.symmetry import canonical_key, position_of

#: Positions that a job plans: a second's work or two. With DEAR_LEFT plies left or more, each is work enough.
BATCH, DEAR_LEFT = 10, 18


@dataclass(frozen=True)
class Level:
    """The positions at one of our plies.

    positions: in all. won: of these. alone: won ones that the player decides by itself.
    """

    ply: int
    positions: int
    won: int
    alone: int


class Closure:
    """The closure of one colour of a game, worked out by a crew into a store."""

    def __init__(
        self,
        store: Store,
        crew: Crew,
        traps: Traps,
        run: int,
        *,
        workers: int,
        solver_limit: int,
        stop: Callable[[], bool],
        watch: Callable[[str, int, int], None],
    ) -> None:
        """Prepare; ``watch`` is shown what is being done, how much of it is done, and of how much."""
        self._store = store
        self._crew = crew
        self._traps = traps
        self._run = run
        self._workers = workers
        self._solver_limit = solver_limit
        self._stop = stop
        self._watch = watch

    def close(self, start: Position, colour: int, last_left: int, finished: Callable[[Level], None]) -> None:
        """Choose a move in every position of ``colour`` (1 or 2) that can arise, with ``last_left`` plies left or more.

        finished: told of each level.
        Raises Stopped, CrewError, and StoreError (Contradiction included).
        """
        level = {canonical_key(start)} if start.mover == colour else children(start)
        while level and position_of(min(level)).left >= last_left:
            positions = [position_of(key) for key in sorted(level)]
            lost = self._plan([position for position in positions if self._store.choice_of(position) is None])
            self._store.choose(self._traps.choices(lost), self._run)
            choices = [choice for choice in map(self._store.choice_of, positions) if choice is not None]
            held = sum(choice.chance is not None for choice in choices)
            alone = sum(choice.solver_nodes is not None for choice in choices)
            finished(Level(positions[0].ply, len(level), len(level) - held, alone))
            level = {key for choice in choices for key in replies(choice)}

    def _plan(self, positions: list[Position]) -> list[Position]:
        """Choose a move in the won ones among positions of one ply, and return the lost ones."""
        size = 1 if positions and positions[0].left >= DEAR_LEFT else BATCH
        batches = [tuple(positions[at : at + size]) for at in range(0, len(positions), size)]
        lost: list[Position] = []
        done = 0
        jobs = [Planning(batch, self._solver_limit) for batch in batches]
        for findings in self._crew.each(jobs, 2 * self._workers, self._stop):
            plans = [plan for finding in findings for plan in finding.result]
            if plans:
                self._store.record(_facts(findings, plans), self._run)
                self._store.choose(_choices(plans), self._run)
                lost += [plan.position for plan in plans if plan.move is None]
                done += len(plans)
            self._watch(f"ply {positions[0].ply}: who wins, and how", done, len(positions))
        return lost


def _facts(findings: Iterable[Finding], plans: Iterable[Plan]) -> Iterator[Fact]:
    for finding in findings:
        yield from kept_facts(finding)
    for plan in plans:
        answer = plan.answer
        yield Fact(plan.position, answer.lo, answer.hi, answer.best, answer.nodes)


def _choices(plans: Iterable[Plan]) -> Iterator[Choice]:
    for plan in plans:
        if plan.move is not None:
            yield Choice(plan.position, plan.move, plan.solver_nodes)
