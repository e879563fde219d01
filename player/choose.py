"""Choose the move: book, then exact search, then alpha-beta; part of ``my_player3.py``, Python 3.7.

In a lost game, near its end, it is the move that is hardest to answer; with an uncertain ply, one that wins with every
ply, or else with the likeliest ones.
"""

import time
from typing import Callable, Iterable, List, NamedTuple, Optional, Sequence

from book.files.reader import BOOK_UNDECIDED, MoveBook
from player.clock import Clock
from solver.alphabeta import AlphaBeta
from solver.answer import Answer
from solver.exact import ExactSolver
from solver.family import Variant
from solver.position import FROM_CENTRE, FULL, GAME_PLIES, PASS, Position, group_of, neighbours, points_of
from solver.symmetry import Oriented

#: Answers a question about a position that is not over, as far as its limits allow.
Answerer = Callable[[Position], Answer]


def hardest_move(
    position: Position, moves: Iterable[int], decide: Answerer, value: Answerer, game: Variant
) -> Optional[int]:
    """Return the move after which the fewest replies keep the other side's win; of equals the one of the best value.

    moves: to be tried, the likely ones first. decide: returns the winner, and for the mover's win a move that keeps it.
        value: returns the exact value. The result is the best of the moves judged before ``decide`` left a question
        open, None when there is none.
    """
    best: List[int] = []
    fewest = len(position.legal_moves()) + 1
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
    """Count the replies that keep the mover's win, to at most one more than ``enough``; None when that is left open."""
    replies = child.legal_moves()
    known = decide(child).best
    if known in replies:
        # One that holds comes first, so that a move no better than another is soon given up.
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
    """Return the move of the best value, as far as the values are known."""
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


#: With more plies left the exact search would only use up its share of the clock.
EXACT_LEFT = 16

#: With at most this number of plies left every reply to a move of a lost game can be judged.
LOST_LEFT = 13

#: Where the exact search does not reach, more time would hardly find a better move.
SEARCH_SHARE = 0.4

#: The shares of the budget after which the exact search stops, and then the alpha-beta search. The rest is for the time
#: between two checks of the clock and for the end of the process.
EXACT_SHARE, LAST_SHARE = 0.6, 0.9

#: The largest share of the budget for a lost game.
LOST_SHARE = 0.3


class MoveChoice(NamedTuple):
    """The move and its reason.

    source: ``pass`` (it ends the game as a win), ``book``, ``exact`` or ``search``. winner: the colour proven to win, 1
        or 2, or None. nodes: of the exact search's proof.
    """

    move: int
    source: str
    winner: Optional[int] = None
    nodes: int = 0


def choose_move(position: Position, clock: Clock, book: Optional[MoveBook] = None, *, game: Variant) -> MoveChoice:
    """Return the move for a position that is not over, within the clock's budget."""
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
    """Decide who wins a position, turned to canonical orientation first.

    So symmetric positions take the same search, and get the same move: the book's maker's measurement of one holds for
    all eight.
    """
    oriented = Oriented.of(position)
    answer = solver.decide(oriented.position, game.least, cpu_deadline=cpu_deadline)
    return answer._replace(best=None if answer.best is None else oriented.back[answer.best])


def quick_move(position: Position, game: Variant) -> int:
    """Return a sound move at once: a PASS that wins, else the most captures, then liberties, then the middle."""
    if position.pass_ends and game.leader(position) == position.mover:
        return PASS
    return max(position.legal_moves(), key=lambda move: quick_rank(position, move))


def _lost_move(position: Position, clock: Clock, solver: ExactSolver, game: Variant) -> int:
    """Return a move for a lost game: the one hardest to answer if known, else the first by quick_rank()."""
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
    """Return the move, or a stone in place of a PASS that would end a lost game."""
    stones = position.legal_moves()[:-1]
    if move != PASS or not position.pass_ends or not stones:
        return move
    return max(stones, key=lambda stone: quick_rank(position, stone))


def quick_rank(position: Position, move: int) -> int:
    """Rank a move without a search: captures, then liberties, then the middle."""
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


#: The number of plies tried; each further one counts half of the one before it.
MOST_PLIES = 5


def possible_positions(position: Position, least_ply: int) -> List[Position]:
    """Return the position with each possible ply, the given one first, then the smallest ones."""
    plies = [ply for ply in range(least_ply, GAME_PLIES, 2) if ply != position.ply]
    return [position] + [position._replace(ply=ply) for ply in plies]


def choose_unsure(
    positions: Sequence[Position], clock: Clock, book: Optional[MoveBook] = None, *, game: Variant
) -> MoveChoice:
    """Return a move that is proven to win with every ply, or else with the likeliest ones.

    positions: one board with different plies, the likeliest first. The choice's winner is that of the first.
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
        # A move that gives the likeliest win away is not tried.
        if not wins_likely or _wins(positions[0], move, solver, deadline, game):
            worth = _worth(doubtful, move, wins_likely, solver, deadline, game)
            if worth > best_worth:
                best, best_worth = MoveChoice(move, "exact", likely.winner), worth
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
