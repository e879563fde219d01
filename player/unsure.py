"""The choice of the move when the ply is not certain; part of ``my_player3.py``, Python 3.7."""

import time
from typing import List, Optional, Sequence

from book.files.reader import MoveBook
from player.choose import EXACT_LEFT, LAST_SHARE, Chosen, choose_move, quick_rank
from player.clock import Clock
from solver.exact import ExactSolver
from solver.family import Variant
from solver.position import GAME_PLIES, Position

#: How many plies are looked at; each further one counts half of the one before it.
MOST_PLIES = 5


def possible_positions(position: Position, least_ply: int) -> List[Position]:
    """Return the position with each possible ply, the given one first, then the smallest ones."""
    plies = [ply for ply in range(least_ply, GAME_PLIES, 2) if ply != position.ply]
    return [position] + [position._replace(ply=ply) for ply in plies]


def choose_unsure(
    positions: Sequence[Position], clock: Clock, book: Optional[MoveBook] = None, *, game: Variant
) -> Chosen:
    """Return a move that is proven to win with every ply, or else with the likeliest ones.

    positions: one board with different plies, the likeliest first. The choice says what holds with the first.
    """
    likely = choose_move(positions[0], clock, book, game=game)
    doubtful = [position for position in positions[1:MOST_PLIES] if position.left <= EXACT_LEFT]
    if likely.winner is None or not doubtful:
        return likely
    solver, deadline = ExactSolver(), clock.deadline(LAST_SHARE)
    moves = sorted(positions[0].legal_moves(), key=lambda move: -quick_rank(positions[0], move))
    moves.remove(likely.move)
    wins_likely = likely.winner == positions[0].mover
    best, best_worth = likely, _worth(doubtful, likely.move, wins_likely, solver, deadline, game)
    for move in moves:
        if best_worth >= _worth_of_all(doubtful, wins_likely) or time.process_time() >= deadline:
            break
        # A move that gives the likeliest win away is not worth a look.
        if not wins_likely or _wins(positions[0], move, solver, deadline, game):
            worth = _worth(doubtful, move, wins_likely, solver, deadline, game)
            if worth > best_worth:
                best, best_worth = Chosen(move, "exact", likely.winner), worth
    return best


def _worth(
    positions: Sequence[Position], move: int, wins_likely: bool, solver: ExactSolver, deadline: float, game: Variant
) -> float:
    """Return the weight of the plies with which a move is proven to win; the likeliest outweighs all others."""
    wins = [_wins(position, move, solver, deadline, game) for position in positions]
    return wins_likely + sum([0.5 ** (place + 1) for place, won in enumerate(wins) if won])


def _worth_of_all(positions: Sequence[Position], wins_likely: bool) -> float:
    return wins_likely + sum([0.5 ** (place + 1) for place in range(len(positions))])


def _wins(position: Position, move: int, solver: ExactSolver, deadline: float, game: Variant) -> bool:
    """Whether a move is proven, before the deadline, to win for the mover."""
    child = position.play(move)
    if child.is_over:
        return game.leader(child) == position.mover
    return game.winner(solver.decide(child, game.least, cpu_deadline=deadline)) == position.mover
