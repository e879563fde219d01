"""What a worker does for the closure: who wins a position, and what we play there."""

from collections.abc import Iterator
from dataclasses import dataclass

from generator.worker import Job, Tools
from solver.answer import BLACK_WINS, LEAST, MOST, Answer
from solver.exact import ExactSolver
from solver.position import PASS, Position
from solver.symmetry import canonical_key

#: With more plies left the player's own solver is not asked: it would hardly ever decide within its limit.
ALONE_LEFT = 15

#: Nodes that a look at another winning move may cost on the shared table.
PROBE_NODES = 20_000

#: Other winning moves that are compared with the first one found.
RIVALS = 3

#: The most nodes of a cold search by which winning moves are compared; with 18 plies left most need more.
COMPARE_NODES = 400_000


@dataclass(frozen=True)
class Plan:
    """Who wins a position, and our move there if we do.

    move: None when the position is lost.
    solver_nodes: what the player's own solver needs from cold; None when that exceeds its limit.
    """

    position: Position
    answer: Answer
    move: int | None
    solver_nodes: int | None


@dataclass(frozen=True)
class Planning(Job):
    """Positions to plan; all with the same mover, whose side we are on.

    solver_limit: the most nodes that the player's solver may take at a move.
    """

    positions: tuple[Position, ...]
    solver_limit: int

    def do(self, tools: Tools) -> list[Plan]:
        """Return a plan for each position."""
        return [plan(tools, position, self.solver_limit) for position in self.positions]

    def describe(self, result: list[Plan]) -> str:
        """Return how many positions of which ply came out how."""
        won = sum(plan.move is not None for plan in result)
        alone = sum(plan.solver_nodes is not None for plan in result)
        return f"ply {self.positions[0].ply}, {len(result)} planned: {won} won, {alone} of them by the player alone"


def plan(tools: Tools, position: Position, solver_limit: int) -> Plan:
    """Decide a position in canonical orientation and plan our move.

    Where the player's own solver decides the position within its limit, our move is the one it finds.
    """
    if position.pass_ends and position.winner == position.mover:
        # The player sees that at once.
        lo, hi = (position.margin, MOST) if position.black_to_move else (LEAST, position.margin)
        return Plan(position, Answer(lo, hi, PASS, 0), PASS, 0)
    answer = tools.decide(position)
    if answer.winner != position.mover or answer.best is None:
        return Plan(position, answer, None, None)
    if position.left <= ALONE_LEFT:
        found = ExactSolver().decide(position, BLACK_WINS, node_limit=solver_limit)
        if found.winner is not None:
            return Plan(position, answer, found.best, found.nodes)
    return Plan(position, answer, _cheapest_win(tools, position, answer.best), None)


def _cheapest_win(tools: Tools, position: Position, known: int) -> int:
    """Return the winning move after which the proof is smallest; among those of a size, that of the largest margin.

    Sizes are bit lengths of the nodes that a cold search takes.
    """
    best, best_child = known, position.play(known)
    if best_child.is_over:
        return best
    least = _cold_nodes(tools, best_child, COMPARE_NODES)
    best_margin: int | None = None
    for move, child in _other_wins(tools, position, known):
        if child.is_over:
            return move
        nodes = _cold_nodes(tools, child, least)
        if nodes.bit_length() > least.bit_length() or nodes >= COMPARE_NODES:
            continue
        margin = _margin(tools, child)
        if best_margin is None:
            best_margin = _margin(tools, best_child)
        if nodes.bit_length() < least.bit_length() or margin > best_margin:
            best, least, best_margin = move, nodes, margin
    return best


def _cold_nodes(tools: Tools, child: Position, limit: int) -> int:
    return tools.cold_kernel().decide(child, BLACK_WINS, node_limit=limit).nodes


def _other_wins(tools: Tools, position: Position, known: int) -> Iterator[tuple[int, Position]]:
    """Yield the moves that a short look sees winning, but ``known``, those seen soonest first."""
    seen = {canonical_key(position.play(known))}
    wins = []
    for move in position.legal_moves():
        child = position.play(move)
        if canonical_key(child) in seen:
            continue
        seen.add(canonical_key(child))
        if child.is_over:
            found = Answer(child.margin, child.margin, None, 0)
        else:
            found = tools.kernel.decide(child, BLACK_WINS, node_limit=PROBE_NODES)
        if found.winner == position.mover:
            wins.append((found.nodes, move, child))
    for _, move, child in sorted(wins)[:RIVALS]:
        yield move, child


def _margin(tools: Tools, child: Position) -> int:
    """Return the largest margin for the side that has just moved that short looks prove, from its side."""
    black = not child.black_to_move
    for step in range(1, MOST):
        threshold = BLACK_WINS + step if black else BLACK_WINS - step
        answer = tools.kernel.decide(child, threshold, node_limit=PROBE_NODES)
        if not (answer.lo >= threshold if black else answer.hi < threshold):
            return step
    return MOST
