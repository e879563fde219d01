"""Choose the player's move: from the book, by an exact search, or by alpha-beta.

The module is part of ``my_player3.py`` and must run with Python 3.7. Near the end of a lost game, the player chooses
the move that is hardest to answer. If the ply is uncertain, the player chooses a move that wins at every possible ply,
or at the most likely plies.
"""

import time
from typing import Callable, Iterable, List, NamedTuple, Optional, Sequence

from little_go.book.files.reader import BOOK_UNDECIDED, MoveBook
from little_go.player.clock import Clock
from little_go.solver.alphabeta import AlphaBeta
from little_go.solver.answer import Answer
from little_go.solver.exact import ExactSolver
from little_go.solver.family import Variant
from little_go.solver.position import (
    FROM_CENTRE,
    FULL,
    GAME_PLIES,
    PASS,
    POINTS,
    Position,
    group_of,
    neighbours,
    points_of,
)
from little_go.solver.symmetry import Oriented

#: The type of a function that searches an unfinished position and returns the answer.
Answerer = Callable[[Position], Answer]


def hardest_move(
    position: Position, moves: Iterable[int], decide: Answerer, value: Answerer, game: Variant
) -> Optional[int]:
    """Return the move after which the smallest number of replies keeps the other side's win.

    If several moves have the same number of replies, return the first move with the best value. The list ``moves``
    begins with the most promising move. The function ``decide`` finds the winner and, if the mover wins, a winning
    move. The function ``value`` finds the exact value. If ``decide`` cannot find a winner, return the best of the moves
    that were tried before, or None if there are no such moves.
    """
    best: List[int] = []
    # No position has more replies.
    fewest = POINTS + 1
    for move in moves:
        child = position.play(move)
        holding = None if child.is_over else _holding_replies(child, fewest, decide, game)
        if holding is None:
            if child.is_over:
                continue
            break
        if holding < fewest:
            best, fewest = [], holding
        if holding == fewest:
            best.append(move)
    return _best_value(position, best, value) if best else None


def _holding_replies(child: Position, enough: int, decide: Answerer, game: Variant) -> Optional[int]:
    """Return the number of replies that keep the mover's win, or None if ``decide`` cannot find a winner.

    A result of ``enough`` + 1 means that there are at least this number of such replies.
    """
    replies = child.legal_moves()
    known = decide(child).best
    if known in replies:
        # Begin with a reply that keeps the win, so that the count for a bad move reaches ``enough`` early.
        replies.remove(known)
        replies.insert(0, known)
    holding = 0
    for reply in replies:
        after = child.play(reply)
        winner = game.winner(decide(after)) if not after.is_over else game.leader(after)
        if winner is None:
            return None
        holding += winner == child.mover
        if holding > enough:
            break
    return holding


def _best_value(position: Position, moves: List[int], value: Answerer) -> int:
    """Return the first move with the best value.

    If ``value`` cannot determine the value of a move, return the best of the moves before it, or else the first move.
    """
    if len(moves) == 1:
        return moves[0]
    sign = 1 if position.black_to_move else -1
    best, best_value = moves[0], None
    for move in moves:
        reached = value(position.play(move)).value
        if reached is None:
            break
        if best_value is None or sign * reached > sign * best_value:
            best, best_value = move, reached
    return best


#: The largest number of plies left at which the exact search is tried. With more plies left, the exact search would not
#: finish within its share of the time.
EXACT_LEFT = 16

#: The largest number of plies left at which all replies to a move of a lost game can be decided in time.
LOST_LEFT = 13

#: The share of the budget that alpha-beta gets if too many plies are left for the exact search. With more time
#: alpha-beta would rarely find a better move.
SEARCH_SHARE = 0.4

#: The share of the budget after which the exact search stops, and the share after which alpha-beta stops. The rest is
#: reserved for the time between two checks of the clock and for the end of the process.
EXACT_SHARE, LAST_SHARE = 0.6, 0.9

#: The largest share of the budget that is spent on a move in a lost game.
LOST_SHARE = 0.3


class MoveChoice(NamedTuple):
    """The chosen move, and the way in which it was chosen.

    - ``source``: ``pass`` (a PASS ends the game as a win), ``book``, ``exact`` or ``search``.
    - ``winner``: the number of the colour that is proven to win, 1 or 2, or None if no winner is proven.
    - ``nodes``: the number of nodes of the exact search that proved the winner.
    """

    move: int
    source: str
    winner: Optional[int] = None
    nodes: int = 0


def choose_move(position: Position, clock: Clock, book: Optional[MoveBook] = None, *, game: Variant) -> MoveChoice:
    """Choose the move in an unfinished position, within the budget of the clock."""
    mover, share = position.mover, SEARCH_SHARE
    if position.pass_ends and game.leader(position) == mover:
        return MoveChoice(PASS, "pass", mover)
    entry = book.get(position) if book is not None else None
    if entry is not None and entry.verdict != BOOK_UNDECIDED and entry.move in position.legal_moves():
        return MoveChoice(entry.move, "book", game.winner(entry.bounds))
    if position.left <= EXACT_LEFT:
        solver, share = ExactSolver(), LAST_SHARE
        answer = decide_turned(solver, position, clock.deadline(EXACT_SHARE), game=game)
        winner = game.winner(answer)
        if winner == mover and answer.best is not None:
            return MoveChoice(answer.best, "exact", mover, answer.nodes)
        if winner is not None:
            move = _play_on(position, _lost_move(position, clock, solver, game))
            return MoveChoice(move, "exact", winner, answer.nodes)
    if entry is not None and entry.move in position.legal_moves():
        return MoveChoice(entry.move, "book")
    return MoveChoice(AlphaBeta(game.komi).search(position, clock.deadline(share)).move, "search")


def decide_turned(
    solver: ExactSolver, position: Position, cpu_deadline: Optional[float] = None, *, game: Variant
) -> Answer:
    """Turn a position to its canonical orientation, and find the winner.

    In this way the search and the move are the same for all eight symmetric positions. So when the book is made, it is
    enough to measure the search for one of these positions.
    """
    oriented = Oriented.of(position)
    answer = solver.decide(oriented.position, game.least, cpu_deadline=cpu_deadline)
    return answer._replace(best=None if answer.best is None else oriented.back[answer.best])


def quick_move(position: Position, game: Variant) -> int:
    """Return a reasonable move without a search: a PASS if it wins, otherwise the first move with the highest
    quick_rank().
    """
    if position.pass_ends and game.leader(position) == position.mover:
        return PASS
    return max(position.legal_moves(), key=lambda move: quick_rank(position, move))


def _lost_move(position: Position, clock: Clock, solver: ExactSolver, game: Variant) -> int:
    """Return a move for a lost game: the move that is hardest to answer or, if time is too short, alpha-beta's move."""
    deadline = min(clock.deadline(LAST_SHARE), clock.deadline() - clock.left() + clock.budget * LOST_SHARE)
    if position.left <= LOST_LEFT:
        moves = sorted(position.legal_moves(), key=lambda move: -quick_rank(position, move))
        move = hardest_move(
            position,
            moves,
            lambda child: solver.decide(child, game.least, cpu_deadline=deadline),
            lambda child: solver.value(child, cpu_deadline=deadline),
            game,
        )
        if move is not None:
            return move
    return AlphaBeta(game.komi).search(position, deadline).move


def _play_on(position: Position, move: int) -> int:
    """Return the move, but replace a PASS that would end a lost game with a stone if there is a legal stone."""
    stones = position.legal_moves()[:-1]
    if move != PASS or not position.pass_ends or not stones:
        return move
    return max(stones, key=lambda stone: quick_rank(position, stone))


def quick_rank(position: Position, move: int) -> int:
    """Return the rank of a move, which depends on captures, then on liberties, then on the distance from the middle."""
    if move == PASS:
        return 0
    after = position.play(move)
    mine, theirs = (after.black, after.white) if position.black_to_move else (after.white, after.black)
    empty = FULL & ~(mine | theirs)
    liberties = len(list(points_of(neighbours(group_of(1 << move, mine)) & empty)))
    if liberties < 2:
        return -1
    before = position.white if position.black_to_move else position.black
    taken = len(list(points_of(before & ~theirs)))
    return 5 + 100 * taken + 10 * min(liberties, 4) - FROM_CENTRE[move]


#: The maximum number of possible plies that are tried. The weight of each ply is half the weight of the ply before it.
MOST_PLIES = 5


def possible_positions(position: Position, least_ply: int) -> List[Position]:
    """Return the position with each possible ply: its own ply first, then the other plies in ascending order."""
    plies = [ply for ply in range(least_ply, GAME_PLIES, 2) if ply != position.ply]
    return [position] + [position._replace(ply=ply) for ply in plies]


def choose_unsure(
    positions: Sequence[Position], clock: Clock, book: Optional[MoveBook] = None, *, game: Variant
) -> MoveChoice:
    """Choose a move that is proven to win at every possible ply, or at the most likely plies.

    The positions have the same board and different plies, beginning with the most likely ply. The field ``winner`` of
    the result is the winner at the most likely ply.
    """
    likely = choose_move(positions[0], clock, book, game=game)
    doubtful = [position for position in positions[1:MOST_PLIES] if position.left <= EXACT_LEFT]
    if likely.winner is None or not doubtful:
        return likely
    solver, deadline = ExactSolver(), clock.deadline(LAST_SHARE)
    moves = sorted(positions[0].legal_moves(), key=lambda move: -quick_rank(positions[0], move))
    moves.remove(likely.move)
    wins_likely = likely.winner == positions[0].mover
    best, best_weight = likely, _win_weight(doubtful, likely.move, wins_likely, solver, deadline, game)
    for move in moves:
        if best_weight >= _greatest_weight(doubtful, wins_likely) or time.process_time() >= deadline:
            break
        # If a move is known that wins at the most likely ply, ignore all moves that do not win at this ply.
        if not wins_likely or _wins(positions[0], move, solver, deadline, game):
            weight = _win_weight(doubtful, move, wins_likely, solver, deadline, game)
            if weight > best_weight:
                best, best_weight = MoveChoice(move, "exact", likely.winner), weight
    return best


def _win_weight(
    positions: Sequence[Position], move: int, wins_likely: bool, solver: ExactSolver, deadline: float, game: Variant
) -> float:
    """Return the total weight of the plies at which a move is proven to win.

    The most likely ply has the weight 1, which is greater than the sum of all other weights. The list ``positions``
    contains a position for each of the other plies.
    """
    wins = [_wins(position, move, solver, deadline, game) for position in positions]
    return wins_likely + sum([0.5 ** (place + 1) for place, won in enumerate(wins) if won])


def _greatest_weight(positions: Sequence[Position], wins_likely: bool) -> float:
    return wins_likely + sum([0.5 ** (place + 1) for place in range(len(positions))])


def _wins(position: Position, move: int, solver: ExactSolver, deadline: float, game: Variant) -> bool:
    """Return whether a search proves before the deadline that the mover wins with this move."""
    child = position.play(move)
    if child.is_over:
        return game.leader(child) == position.mover
    return game.winner(solver.decide(child, game.least, cpu_deadline=deadline)) == position.mover
