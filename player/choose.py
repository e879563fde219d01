"""The choice of the move: book, then exact search, then alpha-beta; part of ``my_player3.py``, Python 3.7."""

from typing import NamedTuple, Optional

from book.files.reader import BOOK_UNDECIDED, MoveBook
from player.clock import Clock
from player.lost import hardest_move
from solver.alphabeta import AlphaBeta
from solver.answer import Answer
from solver.exact import ExactSolver
from solver.family import Variant
from solver.position import FROM_CENTRE, FULL, PASS, Position, group_of, neighbours, points_of
from solver.symmetry import Turned

#: With more plies left the exact search would only burn its share of the clock.
EXACT_LEFT = 16

#: With at most so many plies left every reply to a move of a lost game can be judged.
LOST_LEFT = 13

#: Where the exact search does not reach, more time would hardly find a better move.
SEARCH_SHARE = 0.4

#: The shares of the budget after which the exact search stops, and the alpha-beta search when that was in vain. The
#: rest is for the time between two looks at the clock and for the end of the process.
EXACT_SHARE, LAST_SHARE = 0.6, 0.9

#: A lost game is worth no more of the budget than this.
LOST_SHARE = 0.3


class Chosen(NamedTuple):
    """The move and what it rests on.

    source: ``pass`` (it ends the game as a win), ``book``, ``exact`` or ``search``.
    winner: the colour proven to win, 1 or 2, or None.
    nodes: what the exact search took to prove that.
    """

    move: int
    source: str
    winner: Optional[int] = None
    nodes: int = 0


def choose_move(position: Position, clock: Clock, book: Optional[MoveBook] = None, *, game: Variant) -> Chosen:
    """Return the move for a position that is not over, within the clock's budget."""
    mover, share = position.mover, SEARCH_SHARE
    if position.pass_ends and game.leader(position) == mover:
        return Chosen(PASS, "pass", mover)
    entry = book.get(position) if book is not None else None
    if entry is not None and entry.verdict != BOOK_UNDECIDED and entry.move in position.legal_moves():
        return Chosen(entry.move, "book", game.winner(entry.bounds))
    if position.left <= EXACT_LEFT:
        solver, share = ExactSolver(), LAST_SHARE
        answer = decide_turned(solver, position, clock.deadline(EXACT_SHARE), game=game)
        winner = game.winner(answer)
        if winner == mover and answer.best is not None:
            return Chosen(answer.best, "exact", mover, answer.nodes)
        if winner is not None:
            move = _play_on(position, _lost_move(position, clock, solver, game))
            return Chosen(move, "exact", winner, answer.nodes)
    if entry is not None and entry.move in position.legal_moves():
        return Chosen(entry.move, "book")
    return Chosen(AlphaBeta(game.komi).search(position, clock.deadline(share)).move, "search")


def decide_turned(
    solver: ExactSolver, position: Position, cpu_deadline: Optional[float] = None, *, game: Variant
) -> Answer:
    """Decide who wins a position, turned to canonical orientation first.

    So positions that differ by a turn or a reflection take the same search, and get the same move: what
    the book's maker measured for one holds for all eight.
    """
    turned = Turned.of(position)
    answer = solver.decide(turned.position, game.least, cpu_deadline=cpu_deadline)
    return answer._replace(best=None if answer.best is None else turned.back[answer.best])


def quick_move(position: Position, game: Variant) -> int:
    """Return a sound move at once: a PASS that wins, else the most captures, then liberties, then the middle."""
    if position.pass_ends and game.leader(position) == position.mover:
        return PASS
    return max(position.legal_moves(), key=lambda move: quick_rank(position, move))


def _lost_move(position: Position, clock: Clock, solver: ExactSolver, game: Variant) -> int:
    """Return a move for a lost game: the one hardest to answer if that can be told, else the best to the eye."""
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
    """Rank a move by its looks: captures, then liberties, then the middle."""
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
