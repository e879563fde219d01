"""Championship: a strong classic agent: deep alpha-beta, exact near the end.

It opens 2,2. Then it plays the move of ``solver.alphabeta``, six plies deep; with at most twelve plies left and
a game that is won it plays a winning move instead if that one throws the win away. A move is limited in CPU, but
mostly takes so little that the depth decides, and equal questions get equal answers.

Source: the assignment calls it "an excellent Little-Go player adapted from top-performing agents in previous
iterations of this class". The games show the opening, some 2 s a move, and no more of its rules (docs/AGENTS.md).
"""

import time
from random import Random

from arena.agents.program import run
from arena.agents.search import CENTRE
from solver.alphabeta import AlphaBeta
from solver.answer import BLACK_WINS
from solver.exact import ExactSolver
from solver.position import Position

#: Seconds of CPU for a move, and the share of it after which the search leaves the rest to the exact solver.
CPU_LIMIT = 2.0
SEARCH_SHARE = 0.6

DEPTH = 6

#: The most plies left at which it asks the exact solver.
EXACT_LEFT = 12


def choose(position: Position, _rng: Random) -> int:
    """Return the move."""
    if not position.ply:
        return CENTRE
    start = time.process_time()
    move = AlphaBeta().search(position, start + SEARCH_SHARE * CPU_LIMIT, DEPTH).move
    return move if position.left > EXACT_LEFT else _kept_win(position, move, start + CPU_LIMIT)


def _kept_win(position: Position, move: int, cpu_deadline: float) -> int:
    """Return the move, or a winning one if the game is won and the move throws it away."""
    solver = ExactSolver()
    now = solver.decide(position, BLACK_WINS, cpu_deadline=cpu_deadline)
    if now.winner != position.mover or now.best is None:
        return move
    following = solver.decide(position.play(move), BLACK_WINS, cpu_deadline=cpu_deadline)
    return move if following.winner == position.mover else now.best


if __name__ == "__main__":
    run(choose, needs_ply=True)
