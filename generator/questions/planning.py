"""A worker's job for the closure: decide who wins a position, and find the moves that win it."""

from dataclasses import dataclass

from book.answers.strategy import Wins, replies_after
from generator.workers.worker import Job, Tools
from solver.answer import Answer, Bounds
from solver.exact import ExactSolver
from solver.family import Variant
from solver.native.twin import TwinSolver
from solver.position import PASS, Position
from solver.steps import distinct_steps
from solver.symmetry import canonical_key, key_of

#: With more plies left the player's own solver is not asked: it would hardly ever decide within its limit.
ALONE_LEFT = 15

#: Of so many positions one is asked of the script's own Python too, and must get the same answer.
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
        reached = Bounds(position.margin, position.margin).kept(position.black_to_move)
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
