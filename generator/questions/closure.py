"""The closure of a colour: a move in every position that can arise if our side always plays the chosen moves.

From the start, our side plays its chosen move, and the other side plays any legal move, including PASS. A won position
gets a winning move. A lost position gets the move after which opponents err most often (generator.questions.traps). The
closure ends at the ply from which the player's own solver decides every position.

A level contains the positions at one of our plies. The workers plan the positions of a level in parallel. The plans go
into the store batch by batch, so a later run resumes from them. Then one winning move is chosen for each position, so
that the chosen moves together lead to few positions at our next ply (book.answers.strategy). The first choice is the
move that adds the fewest positions to those already reached; then each choice is revised several times, given all other
choices. A position that the player's own solver decides needs no choice, because the player plays the move that this
solver finds.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from little_go.book.answers.strategy import Wins, fewest_replies, replies_after
from little_go.book.files.atlas import SEARCH
from little_go.book.store.facts import Choice, Fact
from little_go.generator.questions.traps import Traps
from little_go.generator.workers.search_run import SearchRun
from little_go.generator.workers.worker import Job, JobResult, WorkerKernel
from little_go.solver.answer import Answer, Bounds
from little_go.solver.exact import ExactSolver
from little_go.solver.family import Variant
from little_go.solver.native import children, distinct_steps
from little_go.solver.native.twin import TwinSolver
from little_go.solver.position import PASS, Position
from little_go.solver.symmetry import canonical_key, key_of, position_of

#: The player's own solver is tried with at most this number of plies left. With more, it would almost never decide
#: within its limit.
PLAYER_LEFT = 15

#: One in this many positions is also searched by the player's own Python code, which must return the same answer.
SAMPLE = 100

#: By the minimum number of plies left, the node limit of a search for another winning move on the shared table.
PROBE_NODES = {20: 400_000, 18: 60_000, 0: 20_000}


@dataclass(frozen=True)
class Plan:
    """The winner of a position, and the moves that win.

    answer: bounds that decide who wins, and the nodes of the search. wins: our winning moves, in the order in which
    they were found; empty if the position is lost. solver_nodes: the number of nodes that the player's own solver
    needs, with an empty table, to find the first of these moves; None if it finds no winning move within its limit.
    """

    position: Position
    answer: Answer
    wins: Wins
    solver_nodes: int | None = None


@dataclass(frozen=True)
class Planning(Job):
    """A job: plan moves in positions in which our side is to move.

    solver_limit: the node limit of the player's own solver for a move.
    """

    positions: tuple[Position, ...]
    solver_limit: int
    game: Variant

    def do(self, worker: WorkerKernel) -> list[Plan]:
        """Return the plan of each position."""
        return [plan(worker, position, self.solver_limit, self.game) for position in self.positions]

    def claims(self, result: list[Plan]) -> list[tuple[Position, Answer]]:
        """Return the answer for each position, and for the position after each of its winning moves."""
        if tuple(plan.position for plan in result) != self.positions:
            raise ValueError("plans of other positions")
        found = [(plan.position, plan.answer) for plan in result]
        for plan in result:
            for move, replies in plan.wins.items():
                if replies != replies_after(plan.position, move):
                    raise ValueError("a winning move with wrong replies")
                after = plan.position.play(move)
                if not after.is_over:
                    found.append((after, Answer(*self.game.won_by(plan.position.mover), None, 0)))
        return found

    def describe(self, result: list[Plan]) -> str:
        """Return a line with the ply, the number of won positions, and the number of positions that the player decides
        without the book.
        """
        won = sum(bool(plan.wins) for plan in result)
        alone = sum(plan.solver_nodes is not None for plan in result)
        return f"ply {self.positions[0].ply}, {len(result)} planned: {won} won, {alone} of them by the player alone"


def plan(worker: WorkerKernel, position: Position, solver_limit: int, game: Variant) -> Plan:
    """Decide a position in canonical orientation, and find moves that win it.

    If the player's own solver decides the position within its limit, the plan contains only this solver's move.
    """
    if position.pass_ends and game.leader(position) == position.mover:
        # In this position the player passes without a search.
        reached = Bounds(position.margin, position.margin).mover_end(position.black_to_move)
        return Plan(position, Answer(*reached, PASS, 0), {PASS: replies_after(position, PASS)}, 0)
    answer = worker.decide(position, game)
    best = answer.best
    if game.winner(answer) != position.mover or best is None:
        return Plan(position, answer, {})
    if position.left <= PLAYER_LEFT:
        found = _player_answer(position, game.least, solver_limit)
        if game.winner(found) is not None and found.best is not None:
            return Plan(position, answer, {found.best: replies_after(position, found.best)}, found.nodes)
    moves = (best, *_other_wins(worker, position, best, game))
    return Plan(position, answer, {move: replies_after(position, move) for move in moves})


def _player_answer(position: Position, threshold: int, solver_limit: int) -> Answer:
    """Return the answer of the player's own solver with an empty table, computed by its faster twin in C.

    Raise RuntimeError if the solver and its twin differ in a position of the sample.
    """
    found = TwinSolver().decide(position, threshold, node_limit=solver_limit)
    if key_of(position) % SAMPLE == 0:
        expected = ExactSolver().decide(position, threshold, node_limit=solver_limit)
        if found != expected:
            raise RuntimeError(f"the twin in C finds {found}, the player's solver {expected}: {position!r}")
    return found


def _other_wins(worker: WorkerKernel, position: Position, known: int, game: Variant) -> list[int]:
    """Return the winning moves that a short search finds, without ``known``.

    Of symmetric moves, return only the first.
    """
    limit = next(nodes for left, nodes in PROBE_NODES.items() if position.left >= left)
    known_key = canonical_key(position.play(known))
    wins = []
    for move, key, child in distinct_steps(position):
        if key == known_key:
            continue
        if child.is_over:
            winner: int | None = game.leader(child)
        else:
            winner = game.winner(worker.kernel.decide(child, game.least, node_limit=limit))
        if winner == position.mover:
            wins.append(move)
    return wins


#: The number of positions in a job: one or two seconds of work. With EXPENSIVE_LEFT plies left or more, a job has one
#: position.
BATCH, EXPENSIVE_LEFT = 10, 18


@dataclass(frozen=True)
class Level:
    """The positions at one of our plies.

    positions: the number of positions. won: the number of won positions. alone: the number of won positions that the
    player decides without the book.
    """

    ply: int
    positions: int
    won: int
    alone: int


class Closure:
    """The search for the closure of a colour. The crew of a run searches, and the store of the run gets the results."""

    def __init__(
        self,
        search_run: SearchRun,
        traps: Traps,
        solver_limit: int,
        watch: Callable[[str, int, int], None],
        game: Variant,
    ) -> None:
        """solver_limit: the node limit of the player's own solver for a move.

        watch: a function that is called with the name of the current step, the number of positions done in it, and the
        total number. game: the game, whose komi determines the winner.
        """
        self._game = game
        self._search_run = search_run
        self._traps = traps
        self._solver_limit = solver_limit
        self._watch = watch

    def close(
        self,
        start: Position,
        colour: int,
        last_left: int,
        finished: Callable[[Level], None],
        only: Position | None = None,
    ) -> None:
        """Choose a move in each position of ``colour`` (1 or 2) that can arise with at least ``last_left`` plies left.

        finished: a function that is called with each level. only: the position among the first positions of ``colour``
        from which the closure continues, or None to continue from all of these positions. Raise Stopped if the run is
        stopped, and CrewError or StoreError if the workers or the store fail.
        """
        level = {canonical_key(start)} if start.mover == colour else children(start)
        level = level if only is None else {canonical_key(only)}
        self._traps.begin(start, colour)
        while level and position_of(min(level)).left >= last_left:
            positions = [position_of(key) for key in sorted(level)]
            self._close_level(
                [position for position in positions if self._search_run.store.choice_of(position) is None]
            )
            choices = [choice for choice in map(self._search_run.store.choice_of, positions) if choice is not None]
            lost = [choice for choice in choices if choice.chance is not None]
            alone = sum(choice.solver_nodes is not None for choice in choices)
            finished(Level(positions[0].ply, len(level), len(level) - len(lost), alone))
            level = {key for choice in choices for key in replies_after(choice.position, choice.move)}
            self._traps.follow(lost)

    def _close_level(self, positions: list[Position]) -> None:
        """Choose a move in positions of one ply that have no choice yet."""
        # An earlier run may have recorded winning moves.
        wins: dict[Position, Wins] = {
            position: {move: replies_after(position, move) for move in self._search_run.store.winning_moves(position)}
            for position in positions
        }
        lost = self._plan([position for position, known in wins.items() if not known], wins)
        few = fewest_replies({position: known for position, known in wins.items() if known})
        self._search_run.choose((Choice(position, move) for position, move in few.items()))
        self._search_run.choose(self._traps.choices(lost))

    def _plan(self, positions: list[Position], wins: dict[Position, Wins]) -> list[Position]:
        """Find the winner of each position of a ply, and return the lost positions.

        wins: a dictionary to which this function adds the winning moves of each position in which a move must be
        chosen.
        """
        size = 1 if positions and positions[0].left >= EXPENSIVE_LEFT else BATCH
        batches = [tuple(positions[at : at + size]) for at in range(0, len(positions), size)]
        lost: list[Position] = []
        done = 0
        jobs = [Planning(batch, self._solver_limit, self._game) for batch in batches]
        for job_results in self._search_run.each(jobs):
            plans = [plan for job_result in job_results for plan in job_result.result]
            if plans:
                self._search_run.record(_facts(job_results, self._game))
                alone = [plan for plan in plans if plan.solver_nodes is not None]
                self._search_run.choose(
                    Choice(each.position, next(iter(each.wins)), each.solver_nodes) for each in alone
                )
                wins.update({plan.position: plan.wins for plan in plans if plan.solver_nodes is None})
                lost += [plan.position for plan in plans if not plan.wins]
                done += len(plans)
            self._watch(f"ply {positions[0].ply - self._game.first_ply}: who wins, and how", done, len(positions))
        return lost


def _facts(job_results: Iterable[JobResult], game: Variant) -> Iterator[Fact]:
    for job_result in job_results:
        yield from job_result.facts([_fact(plan, job_result.maker, game) for plan in job_result.result])


def _fact(plan: Plan, maker: int | None, game: Variant) -> Fact:
    # If the player finds the move by itself, there is nothing to choose, so the fact contains no moves.
    won = game.won_by(plan.position.mover)
    moves = dict.fromkeys(plan.wins, won) if plan.solver_nodes is None else {}
    return Fact(plan.position, *plan.answer, moves=moves, maker=maker, origin=SEARCH)
