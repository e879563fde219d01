"""Championship: a strong classic agent: alpha-beta with a good evaluation, exact near the end.

It opens 2,2. Then it scores each move by ``solver.alphabeta``, four plies deep in all, and of the moves of the best
score plays the one of the best shape. With at most twelve plies left in a game that is won, only moves count that keep
the win. A move is limited in CPU, but mostly takes so little that the depth decides, and equal questions get
equal answers.

Source: the assignment calls it "an excellent Little-Go player adapted from top-performing agents in previous
iterations of this class". The opening is from the games; depth and shape were chosen to agree with them
(docs/AGENTS.md).
"""

import time
from random import Random

from arena.agents.program import run
from arena.agents.search import CENTRE, Weights, evaluate
from solver.alphabeta import WON_SCORE, AlphaBeta
from solver.answer import BLACK_WINS
from solver.exact import ExactSolver
from solver.position import KOMI, Position

DEPTH = 4

#: What makes a good shape.
SHAPE = Weights(stones=26, liberties=3, reach=-1, euler=-7, corners=-2, in_atari=-2)

#: The most plies left at which it asks the exact solver.
EXACT_LEFT = 12

#: Seconds of CPU for a move, and the share of it after which the search leaves the rest to the exact solver.
CPU_LIMIT = 2.0
SEARCH_SHARE = 0.6


def choose(position: Position, _rng: Random) -> int:
    """Return the first of the equals."""
    return equals(position)[0]


def equals(position: Position) -> list[int]:
    """Return the moves of the best score, that of the best shape first."""
    if not position.ply:
        return [CENTRE]
    start = time.process_time()
    scores = _scores(position, start + SEARCH_SHARE * CPU_LIMIT)
    best = max(scores.values())
    moves = [move for move, score in scores.items() if score == best]
    moves.sort(key=lambda move: evaluate(position.play(move), SHAPE))
    return moves if position.left > EXACT_LEFT else _winning(position, moves, start + CPU_LIMIT)


def _scores(position: Position, cpu_deadline: float) -> dict[int, float]:
    """Return the mover's score for each legal move, PASS included."""
    search = AlphaBeta()
    scores = {}
    for move in position.legal_moves():
        following = position.play(move)
        if following.is_over:
            lead = (following.margin - KOMI) * (1 if position.black_to_move else -1)
            scores[move] = lead + (WON_SCORE if lead > 0 else -WON_SCORE)
        else:
            scores[move] = -search.search(following, cpu_deadline, DEPTH - 1).score
    return scores


def _winning(position: Position, moves: list[int], cpu_deadline: float) -> list[int]:
    """Return those of the moves that keep a game won, else a move that does; all if it is not won."""
    solver = ExactSolver()
    now = solver.decide(position, BLACK_WINS, cpu_deadline=cpu_deadline)
    if now.winner != position.mover or now.best is None:
        return moves

    def keeps(move: int) -> bool:
        following = solver.decide(position.play(move), BLACK_WINS, cpu_deadline=cpu_deadline)
        return following.winner == position.mover

    return [move for move in moves if keeps(move)] or [now.best]


if __name__ == "__main__":
    run(choose, needs_ply=True)
