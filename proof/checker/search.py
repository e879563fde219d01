"""The search that decides a certificate's leaves. This module imports only the module ``rules`` of the checker.

Two bounds decide most positions near the end without a search of further plies; Judge._wins() proves them. The rest of
this module orders the moves. A fault in this order can make the search slow, but not wrong.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Final

from little_go.proof.checker import rules
from little_go.proof.checker.rules import FULL, NONE, PLIES, Claim, Group, Place, beside, count, groups_of

if TYPE_CHECKING:
    from mypy_extensions import i64

#: The initial rank of a stone on each of the first 15 points (the other points are symmetric), and the maximum increase
#: of a rank by wins with its point.
_WORTH: Final = (120, 1492, 1372, 1492, 120, 1492, 2240, 2469, 2240, 1492, 1372, 2469, 3292, 2469, 1372)
_MERIT: Final = 2048 << 5
#: A rank is worth << 5 | number of the point, so sorting the ranks sorts the points by worth.
_RANKS: Final[list[int]] = [(_WORTH + _WORTH[9::-1])[p] << 5 | p for p in range(25)]


def fault_of(claim: Claim, leaf: int, place: Place, move: int, known: Container[str], judge: Judge) -> str | None:
    """Return the reason why a line is wrong, or None. A search checks a leaf, and line_fault() checks any other line.

    leaf: the number of plies left at the leaves. judge: a Judge of the claim. The other parameters are the same as in
    line_fault().
    """
    after = rules.play(place, move)
    if place.left > leaf or after is None or after.left == 0:
        return rules.line_fault(claim, place, move, known)
    return None if judge.keeps(after) else f"{rules.point_name(move)} does not keep the bound"


class Judge:
    """A search that decides whether a claim's side can keep its bound, and stores results for later questions.

    nodes: the number of positions searched so far.
    """

    def __init__(self, claim: Claim, entries: int = 500_000) -> None:
        """entries: the limit of stored results by number of plies left, and a hundred times the limit of groups."""
        self.nodes = 0
        self._claim = claim
        # The margin (own stones minus other stones) that the mover needs to win: for Black, who moves if the number of
        # plies left is even, and for White.
        threshold = claim.bound if claim.black else claim.bound + 1
        self._needs = threshold, 1 - threshold
        self._entries = entries
        self._results: list[dict[int, bool]] = [{} for _ in range(PLIES + 1)]
        self._groups: dict[int, Group] = {}
        self._ranks = [sorted(_RANKS, reverse=True) for _ in range(PLIES + 1)]

    def keeps(self, place: Place) -> bool:
        """Return whether the claim's side can keep its bound from a position against every play of the other side."""
        left, black, white, ko, passed = place
        if left == 0:
            return self._claim.holds(place.margin)
        margin, ours, others = place.margin, groups_of(black), groups_of(white)
        if left % 2:
            margin, ours, others = -margin, others, ours
        return self._wins(ours, others, margin, ko, left, passed or left == PLIES) == self._claim.keeper_moves(left)

    def _wins(self, ours: Group, others: Group, margin: i64, ko: i64, left: i64, passed: bool) -> bool:
        """Return whether the mover wins. margin: the mover's stones minus the other side's stones.

        The two bounds follow from one lemma. A side S has s plies left, and the other side T has t plies left. Let S
        have a group G with t + k + 1 or more liberties, where k <= s (for k = 0 no such group is needed). On each of
        its next k turns, S fills a liberty of G, and then it always passes.

        - A ply of T takes at most one liberty from a group. So before each of its k plies S finds at least
          (t + k + 1) - t - (k - 1) = 2 liberties of the group that G has become: one of them is not the ko point, and
          filling it leaves another, so it is legal, and G keeps one to the end.
        - Another group of S that has more than t liberties keeps one too: S's stones take
          liberties only from groups they join, and what they join is the group of G.
        - So T can capture no more than S's groups of at most t liberties, ``risk`` stones, and add t stones. If S
          passes and so ends the game early, T has added fewer stones.

        Hence S ends with at least margin + k - t - risk.
        """
        self.nodes += 1
        mine, theirs = ours.every, others.every
        empty = FULL & ~(mine | theirs)
        if left == 1:
            return self._white_wins_with_one_left(ours, others, empty, -margin, ko)
        need = self._needs[left & 1]
        if passed and margin >= need:
            return True
        my_plies, their_plies = (left + 1) >> 1, left >> 1
        _, near, roomy, risk, spare = _survey(ours, empty, their_plies)
        if margin + (spare if spare < my_plies else my_plies) - their_plies - risk >= need:
            return True
        takes, threats, _, risk, spare = _survey(others, empty, my_plies)
        if margin - (spare if spare < their_plies else their_plies) + my_plies + risk < need:
            return False

        # A ko point is empty. The key has stones of both colours there, which mark the ko.
        key = mine | ko | (theirs | ko) << 25 | (1 << 50 if passed else 0)
        results = self._results[left]
        result = results.get(key)
        if result is None:
            legal = ((beside(empty) & empty) | near | roomy | takes) & ~ko
            good = legal & threats & (near | roomy) & ~takes
            result = (
                self._stone_wins(ours, others, margin, legal & takes, takes, left)
                or self._stone_wins(ours, others, margin, good, takes, left)
                or self._stone_wins(ours, others, margin, legal & ~takes & ~good, takes, left)
                # The other side can answer a PASS with a PASS, so a PASS wins only if the present margin wins.
                or (not passed and margin >= need and not self._wins(others, ours, -margin, 0, left - 1, True))
            )
            if len(results) >= self._entries:
                results.clear()
            results[key] = result
        return result

    def _white_wins_with_one_left(self, ours: Group, others: Group, empty: i64, margin: i64, ko: i64) -> bool:
        """Return whether White can win by the last ply. margin: Black's stones minus White's stones."""
        need = self._needs[0]
        if margin < need:
            return True
        group: Group | None = ours
        if margin == need:
            # A stone on any legal point makes White win.
            free = empty & ~ko
            if beside(empty) & free:
                return True
            while group is not None:
                liberties = group.around & empty
                if liberties & (liberties - 1) and liberties & free:
                    return True
                group = group.rest
        group = others
        while group is not None:
            point = group.around & empty
            if not point & (point - 1) and point & ~ko and margin - 1 - count(_taken(others, point, empty)) < need:
                return True
            group = group.rest
        return False

    def _stone_wins(self, ours: Group, others: Group, margin: i64, points: i64, takes: i64, left: i64) -> bool:
        """Return whether the mover wins with a stone on one of ``points``, tried in the order of their ranks."""
        if not points:
            return False
        tried: i64 = 0
        ranks = self._ranks[left]
        for rank in ranks:
            point: i64 = 1 << (rank & 31)
            if point & points:
                if self._point_wins(ours, others, margin, point, point & takes, left):
                    gain = (_RANKS[rank & 31] + _MERIT - rank) >> 2 & -32
                    if gain or tried:
                        _reward(ranks, point, gain, tried)
                    return True
                tried |= point
        return False

    def _point_wins(self, ours: Group, others: Group, margin: i64, point: i64, takes: i64, left: i64) -> bool:
        """Return whether the mover wins with a stone on a point. takes: the point if the stone captures, or else 0."""
        mine = ours.every | point
        ours = self._groups.get(mine) or self._joined(mine, ours, point)
        ko: i64 = 0
        if takes:
            taken = _taken(others, point, FULL & ~(mine ^ point | others.every))
            others = _without(others, taken)
            ko = rules.ko_after(mine, FULL & ~(mine | others.every), point, taken)
            margin += count(taken)
        return not self._wins(others, ours, -margin - 1, ko, left - 1, False)

    def _joined(self, stones: i64, ours: Group, point: i64) -> Group:
        """Return and store the groups of ``stones``, which are the stones of ``ours`` and a stone on ``point``."""
        joined, around = point, beside(point)
        apart = None
        group: Group | None = ours
        while group is not None:
            if group.around & point:
                joined |= group.stones
                around |= group.around
            elif group.size:
                apart = Group(group.stones, group.around, apart)
            group = group.rest
        if len(self._groups) >= self._entries // 100:
            self._groups.clear()
        found = self._groups[stones] = Group(joined, around & ~joined, apart)
        return found


def _reward(ranks: list[int], point: i64, gain: i64, tried: i64) -> None:
    """Raise the rank of the point that won, and lower the ranks of the points that were tried before it."""
    for index, rank in enumerate(ranks):
        if point >> (rank & 31) & 1:
            ranks[index] = rank + gain
        elif tried >> (rank & 31) & 1:
            ranks[index] = rank - ((rank - _RANKS[rank & 31]) >> 2 & -32)
    ranks.sort(reverse=True)


def _survey(groups: Group, empty: i64, plies: i64) -> tuple[i64, i64, i64, i64, i64]:
    """Survey the liberties of one side's groups, if the other side has ``plies`` plies left.

    Return the liberties of groups with one liberty, with two, and with more; the number of stones in groups with at
    most ``plies`` liberties; and the maximum number of a group's liberties beyond ``plies`` + 1, which is 0 or more.
    """
    atari: i64 = 0
    near: i64 = 0
    roomy: i64 = 0
    risk: i64 = 0
    most = plies + 1
    group: Group | None = groups
    while group is not None:
        liberties = group.around & empty
        number = count(liberties)
        if number == 1:
            atari |= liberties
        elif number == 2:
            near |= liberties
        else:
            roomy |= liberties
        if number <= plies:
            risk += group.size
        elif number > most:
            most = number
        group = group.rest
    return atari, near, roomy, risk, most - plies - 1


def _taken(groups: Group, point: i64, empty: i64) -> i64:
    """Return the stones of the groups whose only liberty is ``point``."""
    taken: i64 = 0
    group: Group | None = groups
    while group is not None:
        if group.around & empty == point:
            taken |= group.stones
        group = group.rest
    return taken


def _without(groups: Group, taken: i64) -> Group:
    """Return the groups without the captured groups, whose stones are ``taken``."""
    kept = None
    group: Group | None = groups
    while group is not None:
        if not group.stones & taken:
            kept = Group(group.stones, group.around, kept)
        group = group.rest
    return kept or NONE
