"""The closure of a colour: what we play in every position that our own play can lead to.

From the start, our side plays its chosen move and the other side anything legal, PASS too. A won position gets a
winning move, a lost one the move on which opponents most often err (generator.questions.traps). It ends where the
player's own solver is known to decide every position by itself.

Each level, the positions at one of our plies, is planned in parallel; what is found goes into the store batch by
batch, and a later run resumes from it. Then, of the winning moves, those are chosen that together lead to few
positions at our next ply: first the one that adds fewest to what is reached already, then, a few times over, each
again in the light of all others. Where the player decides by itself there is no choice, as it plays its own move.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from book.answers.strategy import Wins, fewest_replies, replies_after
from book.files.atlas import SEARCH
from book.store.facts import Choice, Fact
from generator.questions.traps import Traps
from generator.workers.search_run import SearchRun
from generator.workers.worker import Job, JobResult, Tools
from solver.answer import Answer, Bounds
from solver.exact import ExactSolver
from solver.family import Variant
from solver.native import children, distinct_steps
from solver.native.twin import TwinSolver
from solver.position import PASS, Position
from solver.symmetry import canonical_key, key_of, position_of

#: With more plies left the player's own solver is not asked: it would hardly ever decide within its limit.
ALONE_LEFT = 15

#: Of this many positions one is asked of the script's own Python too, and must get the same answer.
SAMPLE = 100

#: Nodes that a look at another winning move may cost on the shared table, by the least plies left.
PROBE_NODES = {20: 400_000, 18: 60_000, 0: 20_000}


@dataclass(frozen=True)
class Plan:
    """A position's winner, and the moves that win it.

    answer: who wins, and what it cost to find out.
    wins: moves of ours that win, the first one found first; none when the position is lost.
    solver_nodes: what the player's own solver needs, with an empty table, for the first of them, its own move, or None.
    """

    position: Position
    answer: Answer
    wins: Wins
    solver_nodes: int | None = None


@dataclass(frozen=True)
class Planning(Job):
    """Positions to plan; all with the same mover, whose side we are on.

    solver_limit: the most nodes that the player's solver may take at a move.
    """

    positions: tuple[Position, ...]
    solver_limit: int
    game: Variant

    def do(self, tools: Tools) -> list[Plan]:
        """Return a plan for each position."""
        return [plan(tools, position, self.solver_limit, self.game) for position in self.positions]

    def claims(self, result: list[Plan]) -> list[tuple[Position, Answer]]:
        """Return who wins each position, and that each of its winning moves wins."""
        if tuple(plan.position for plan in result) != self.positions:
            raise ValueError("plans of other positions")
        found = [(plan.position, plan.answer) for plan in result]
        for plan in result:
            for move, replies in plan.wins.items():
                if replies != replies_after(plan.position, move):
                    raise ValueError("a winning move with other replies than it has")
                after = plan.position.play(move)
                if not after.is_over:
                    found.append((after, Answer(*self.game.won_by(plan.position.mover), None, 0)))
        return found

    def describe(self, result: list[Plan]) -> str:
        """Summarise the results: the ply, how many were won, and how many of them by the player alone."""
        won = sum(bool(plan.wins) for plan in result)
        alone = sum(plan.solver_nodes is not None for plan in result)
        return f"ply {self.positions[0].ply}, {len(result)} planned: {won} won, {alone} of them by the player alone"


def plan(tools: Tools, position: Position, solver_limit: int, game: Variant) -> Plan:
    """Decide a position in canonical orientation and find moves that win it.

    Where the player's own solver decides the position within its limit, the one move is that which it finds.
    """
    if position.pass_ends and game.leader(position) == position.mover:
        # The player sees that at once.
        reached = Bounds(position.margin, position.margin).mover_end(position.black_to_move)
        return Plan(position, Answer(*reached, PASS, 0), {PASS: replies_after(position, PASS)}, 0)
    answer = tools.decide(position, game)
    best = answer.best
    if game.winner(answer) != position.mover or best is None:
        return Plan(position, answer, {})
    if position.left <= ALONE_LEFT:
        found = _by_player(position, game.least, solver_limit)
        if game.winner(found) is not None and found.best is not None:
            return Plan(position, answer, {found.best: replies_after(position, found.best)}, found.nodes)
    moves = (best, *_other_wins(tools, position, best, game))
    return Plan(position, answer, {move: replies_after(position, move) for move in moves})


def _by_player(position: Position, threshold: int, solver_limit: int) -> Answer:
    """Return what the player's own solver finds with an empty table; raises RuntimeError if its twin differs."""
    found = TwinSolver().decide(position, threshold, node_limit=solver_limit)
    if key_of(position) % SAMPLE == 0:
        expected = ExactSolver().decide(position, threshold, node_limit=solver_limit)
        if found != expected:
            raise RuntimeError(f"the solver in C finds {found}, the player's {expected}: {position!r}")
    return found


def _other_wins(tools: Tools, position: Position, known: int, game: Variant) -> list[int]:
    """Return the moves that a short look sees winning, one for each position that differs; ``known`` is left out."""
    limit = next(nodes for left, nodes in PROBE_NODES.items() if position.left >= left)
    known_key = canonical_key(position.play(known))
    wins = []
    for move, key, child in distinct_steps(position):
        if key == known_key:
            continue
        if child.is_over:
            winner: int | None = game.leader(child)
        else:
            winner = game.winner(tools.kernel.decide(child, game.least, node_limit=limit))
        if winner == position.mover:
            wins.append(move)
    return wins


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
        shop: SearchRun,
        traps: Traps,
        solver_limit: int,
        watch: Callable[[str, int, int], None],
        game: Variant,
    ) -> None:
        """Prepare.

        solver_limit: the most nodes that the player's own solver may take at a move.
        watch: shown what is being done, how much of it is done, and of how much.
        game: who wins is asked by its komi.
        """
        self._game = game
        self._shop = shop
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
        """Choose a move in every position of ``colour`` (1 or 2) that can arise, with ``last_left`` plies left or more.

        finished: called with each level.
        only: one of the first positions of ``colour``; choose only what follows from there.
        Raises Stopped, CrewError, and StoreError (Contradiction included).
        """
        level = {canonical_key(start)} if start.mover == colour else children(start)
        level = level if only is None else {canonical_key(only)}
        self._traps.begin(start, colour)
        while level and position_of(min(level)).left >= last_left:
            positions = [position_of(key) for key in sorted(level)]
            self._close_level([position for position in positions if self._shop.store.choice_of(position) is None])
            choices = [choice for choice in map(self._shop.store.choice_of, positions) if choice is not None]
            lost = [choice for choice in choices if choice.chance is not None]
            alone = sum(choice.solver_nodes is not None for choice in choices)
            finished(Level(positions[0].ply, len(level), len(level) - len(lost), alone))
            level = {key for choice in choices for key in replies_after(choice.position, choice.move)}
            self._traps.follow(lost)

    def _close_level(self, positions: list[Position]) -> None:
        """Choose a move in positions of one ply that have none yet."""
        # An earlier run may have recorded some.
        wins: dict[Position, Wins] = {
            position: {move: replies_after(position, move) for move in self._shop.store.winning_moves(position)}
            for position in positions
        }
        lost = self._plan([position for position, known in wins.items() if not known], wins)
        few = fewest_replies({position: known for position, known in wins.items() if known})
        self._shop.store.choose((Choice(position, move) for position, move in few.items()), self._shop.run)
        self._shop.store.choose(self._traps.choices(lost), self._shop.run)

    def _plan(self, positions: list[Position], wins: dict[Position, Wins]) -> list[Position]:
        """Find out who wins positions of one ply: fill in ``wins`` where we choose, and return the lost ones."""
        size = 1 if positions and positions[0].left >= DEAR_LEFT else BATCH
        batches = [tuple(positions[at : at + size]) for at in range(0, len(positions), size)]
        lost: list[Position] = []
        done = 0
        jobs = [Planning(batch, self._solver_limit, self._game) for batch in batches]
        for findings in self._shop.each(jobs):
            plans = [plan for finding in findings for plan in finding.result]
            if plans:
                self._shop.store.record(_facts(findings, self._game), self._shop.run)
                alone = [plan for plan in plans if plan.solver_nodes is not None]
                self._shop.store.choose(
                    (Choice(each.position, next(iter(each.wins)), each.solver_nodes) for each in alone), self._shop.run
                )
                wins.update({plan.position: plan.wins for plan in plans if plan.solver_nodes is None})
                lost += [plan.position for plan in plans if not plan.wins]
                done += len(plans)
            self._watch(f"ply {positions[0].ply - self._game.first_ply}: who wins, and how", done, len(positions))
        return lost


def _facts(findings: Iterable[JobResult], game: Variant) -> Iterator[Fact]:
    for finding in findings:
        yield from finding.facts([_fact(plan, finding.maker, game) for plan in finding.result])


def _fact(plan: Plan, maker: int | None, game: Variant) -> Fact:
    # A move that the player finds by itself is no choice of ours, and needs no record.
    won = game.won_by(plan.position.mover)
    moves = dict.fromkeys(plan.wins, won) if plan.solver_nodes is None else {}
    return Fact(plan.position, *plan.answer, moves=moves, maker=maker, origin=SEARCH)
