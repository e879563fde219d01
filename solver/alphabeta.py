"""A search with an evaluation, for positions that are too early in the game to be solved.

The module is part of ``my_player3.py`` and must run with Python 3.7. The search is an iterative-deepening negamax with
alpha-beta. A score is in hundredths of a stone, from the mover's point of view and with komi included, so a positive
score is a lead. When a game is finished, WON_SCORE is added to the score of the winner. The search is deterministic:
the same calls in the same order return the same answers.
"""

import time
from typing import Dict, Iterator, List, NamedTuple, Optional, Tuple

from little_go.solver.exact import CountCache, GroupCache
from little_go.solver.position import FROM_CENTRE, FULL, GAME_PLIES, PASS, POINTS, Position, neighbours

#: The number that is added to the winner's score when a game is finished.
WON_SCORE = 10000

_SCORE_LIMIT = 100000
_SCORE_TABLE_LIMIT = 300000
_TIME_CHECK_NODES = 200

# The weights of the evaluation, in hundredths of a stone. Among many variations, these weights won the most games
# against the others; the ends of the games were judged exactly.
_STONE = 100
_LIBERTY_VALUE = 14
_CENTRE_VALUE = 30
#: The score of each stone of a group in atari, for four kinds of groups: the mover's largest group in atari, the
#: mover's other groups in atari, the opponent's largest group in atari, and the opponent's other groups in atari.
_ATARI_VALUES = (-50, -90, 95, 60)
#: The penalty for each stone of a group with two liberties, and the score of each stone of a group that is safe.
_SHORT_VALUE, _SAFE_VALUE = 28, 20

_BIT_NEAR = {1 << p: neighbours(1 << p) for p in range(POINTS)}
_RINGS = [sum(1 << p for p in range(POINTS) if FROM_CENTRE[p] <= most) for most in (3, 2, 1, 0)]

#: An entry of the table of scores: the depth, the score, the kind of the score (1 = lower bound, -1 = upper bound, 0 =
#: exact), and the bit of the best move.
_ScoreEntry = Tuple[int, int, int, int]

#: A move and the position after the move: the bit of the move (0 for PASS), the stones of the next mover, the stones of
#: the other side, and the bit of the ko point.
_Child = Tuple[int, int, int, int]


class Advice(NamedTuple):
    """The result of the search with an evaluation.

    - ``move``: the best move that the search found; this move is always legal.
    - ``score``: the score of this move, as defined in the docstring of this module.
    - ``depth``: the depth of the last complete search in plies, 0 or more.
    - ``nodes``: the number of positions that were searched.
    """

    move: int
    score: int
    depth: int
    nodes: int


class _OutOfTime(Exception):
    """Raised by a search if its CPU deadline has passed."""


class AlphaBeta:
    """A search that keeps its table of scores from call to call."""

    def __init__(self, komi: float) -> None:
        self._komi_score = int(_STONE * komi)
        self._counts = CountCache()
        self._groups = GroupCache()
        self._table: Dict[Tuple[int, int, int, int, bool], _ScoreEntry] = {}
        self._history: Dict[int, int] = {}
        self._nodes = 0
        self._next_check = 0
        self._deadline: Optional[float] = None

    def search(
        self, position: Position, cpu_deadline: Optional[float] = None, depth_limit: Optional[int] = None
    ) -> Advice:
        """Return the best move that the search finds. Raise ValueError if the game is over.

        The search stops when time.process_time() reaches ``cpu_deadline``, unless this is None. The parameter
        ``depth_limit`` is the largest depth in plies, at least 1, or None for all plies that are left.
        """
        if position.is_over:
            raise ValueError("the game is over")
        black = position.black_to_move
        me, opp = (position.black, position.white) if black else (position.white, position.black)
        ko = 0 if position.ko is None else 1 << position.ko
        self._history.clear()
        self._deadline = cpu_deadline
        self._nodes, self._next_check = 0, _TIME_CHECK_NODES
        self._trim()
        children = self._children(me, opp, ko, position.left, 0)
        advice = Advice(_point_of(children[0][0]), 0, 0, 0)
        for depth in range(1, min(depth_limit or position.left, position.left) + 1):
            try:
                advice, children = self._root(position, children, depth)
            except _OutOfTime:
                break
        return advice._replace(nodes=self._nodes)

    def _root(self, position: Position, children: List[_Child], depth: int) -> Tuple[Advice, List[_Child]]:
        """Search every move to a depth. Return the advice, and the moves sorted with the best move first."""
        best, ranked = -_SCORE_LIMIT, []
        left = position.left
        margin = position.margin if position.black_to_move else -position.margin
        for number, child in enumerate(children):
            bit, me, opp, ko = child
            if not bit and position.pass_ends:
                score = self._final(margin, left)
            else:
                score = -self._negamax(me, opp, ko, left - 1, not bit, depth - 1, -_SCORE_LIMIT, -best)
            # Moves that are not better than an earlier move keep their order, because their search returns only a
            # bound.
            ranked.append((-score if score > best else _SCORE_LIMIT, number, child))
            best = max(best, score)
        ranked.sort(key=lambda item: item[:2])
        children = [child for _, _, child in ranked]
        return Advice(_point_of(children[0][0]), best, depth, 0), children

    def _negamax(self, me: int, opp: int, ko: int, left: int, passed: bool, depth: int, alpha: int, beta: int) -> int:
        """Return the mover's score. The score is exact if it is between alpha and beta, and otherwise a bound."""
        self._nodes += 1
        if self._nodes >= self._next_check:
            self._check_time()
        margin = self._counts[me] - self._counts[opp]
        if left == 0:
            return self._final(margin, left)
        if depth <= 0:
            return self._evaluate(me, opp, left)
        key = (me, opp, ko, left, passed)
        entry = self._table.get(key)
        hint = -1
        if entry is not None:
            known, score, side, hint = entry
            if known >= depth and (side == 0 or (score >= beta if side > 0 else score <= alpha)):
                return score
        best, best_bit, floor = -_SCORE_LIMIT, 0, alpha
        for bit, next_me, next_opp, next_ko in self._children(me, opp, ko, left, hint):
            if not bit and passed:
                score = self._final(margin, left)
            else:
                score = -self._negamax(next_me, next_opp, next_ko, left - 1, not bit, depth - 1, -beta, -alpha)
            if score > best:
                best, best_bit = score, bit
                alpha = max(alpha, score)
                if score >= beta:
                    self._history[bit] = self._history.get(bit, 0) + depth * depth
                    break
        self._table[key] = (depth, best, 1 if best >= beta else 0 if best > floor else -1, best_bit)
        return best

    def _children(self, me: int, opp: int, ko: int, left: int, hint: int) -> List[_Child]:
        """Return the moves, sorted by captures and history. The hint comes first. PASS comes last, unless it is the
        hint.
        """
        ranked = []
        for child, taken in self._stones(me, opp, ko):
            bit = child[0]
            rank = _SCORE_LIMIT if bit == hint else 1000 * taken + self._history.get(bit, 0)
            ranked.append((rank + 4 - FROM_CENTRE[bit.bit_length() - 1], child))
        ranked.append((2 * _SCORE_LIMIT if hint == 0 else -1, (0, opp, me, 0)))
        ranked.sort(key=lambda item: -item[0])
        return [child for _, child in ranked]

    def _stones(self, me: int, opp: int, ko: int) -> Iterator[Tuple[_Child, int]]:
        """Yield each legal move except PASS, with the number of stones that it captures."""
        empty = FULL ^ (me | opp)
        legal = empty & neighbours(empty)
        for near, _, _ in self._groups[me]:
            if near & empty & ((near & empty) - 1):
                legal |= near & empty
        taken_at: Dict[int, int] = {}
        for near, _, group in self._groups[opp]:
            liberties = near & empty
            if not liberties & (liberties - 1):
                taken_at[liberties] = taken_at.get(liberties, 0) | group
                legal |= liberties
        legal &= ~ko
        while legal:
            bit = legal & -legal
            legal ^= bit
            taken = taken_at.get(bit, 0)
            lone = taken and not taken & (taken - 1) and not _BIT_NEAR[bit] & ~opp
            yield (bit, opp ^ taken, me | bit, taken if lone else 0), self._counts[taken]

    def _evaluate(self, me: int, opp: int, left: int) -> int:
        counts = self._counts
        empty = FULL ^ (me | opp)
        mine, theirs = (left + 1) >> 1, left >> 1
        score = _STONE * (counts[me] - counts[opp] + mine - theirs)
        score += _LIBERTY_VALUE * (counts[neighbours(me) & empty] - counts[neighbours(opp) & empty])
        if left > GAME_PLIES // 2:
            score += _CENTRE_VALUE * sum([counts[me & ring] - counts[opp & ring] for ring in _RINGS])
        score += self._group_score(me, empty, theirs, _ATARI_VALUES[0], _ATARI_VALUES[1])
        score -= self._group_score(opp, empty, mine, -_ATARI_VALUES[2], -_ATARI_VALUES[3])
        return score + (self._komi_score if left & 1 else -self._komi_score)

    def _group_score(self, stones: int, empty: int, attackers: int, worst_value: int, other_value: int) -> int:
        """Return the total score of one side's groups, which depends on the liberties of each group.

        The other side has ``attackers`` plies left. Each stone of the largest group in atari scores ``worst_value``,
        and each stone of the other groups in atari scores ``other_value``.
        """
        score = worst = in_atari = 0
        for near, size, _ in self._groups[stones]:
            liberties = self._counts[near & empty]
            if liberties > attackers:
                score += _SAFE_VALUE * size
            elif liberties == 1:
                in_atari += size
                worst = max(worst, size)
            elif liberties == 2:
                score -= _SHORT_VALUE * size
        return score + worst_value * worst + other_value * (in_atari - worst)

    def _final(self, margin: int, left: int) -> int:
        """Return the mover's score at the end of the game. White gets the komi, and moves if ``left`` is odd."""
        score = _STONE * margin + (self._komi_score if left & 1 else -self._komi_score)
        return score + WON_SCORE if score > 0 else score - WON_SCORE

    def _check_time(self) -> None:
        self._next_check = self._nodes + _TIME_CHECK_NODES
        self._trim()
        if self._deadline is not None and time.process_time() >= self._deadline:
            raise _OutOfTime

    def _trim(self) -> None:
        if len(self._table) > _SCORE_TABLE_LIMIT:
            self._table.clear()
        self._groups.trim(_SCORE_TABLE_LIMIT)


def _point_of(bit: int) -> int:
    return bit.bit_length() - 1 if bit else PASS
