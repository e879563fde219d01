"""The search that decides a certificate's leaves; imports nothing of the project but the rules beside it.

Two bounds decide most positions near the end without playing on; why they hold is said in Judge._mover_wins(). All else
is the order of the moves, which can make it slow but not wrong.
"""

from collections.abc import Container

from proof.checker import rules
from proof.checker.rules import BESIDE, FULL, PLIES, Claim, Groups, Place, beside, groups_of

#: What a stone on a point is worth trying, by where it is, and more, at most, if it lately was the move that succeeded.
_WORTH = (120, 1492, 1372, 1492, 120, 1492, 2240, 2469, 2240, 1492, 1372, 2469, 3292, 2469, 1372)
_MERIT = 2048 << 5
#: Ranks are worth << 5 | number of the point: to sort ranks is to sort points.
_RANK_OF = {1 << p: (_WORTH + _WORTH[9::-1])[p] << 5 | p for p in range(25)}
_POINTS = tuple(_RANK_OF)


def fault_of(claim: Claim, leaf: int, place: Place, move: int, known: Container[str], judge: "Judge") -> str | None:
    """Return why a line is wrong, None when it is right: one with ``leaf`` plies left by a search, others by the rule.

    judge: made for the claim. Else as line_fault().
    """
    after = rules.play(place, move)
    if place.left > leaf or after is None or after.left == 0:
        return rules.line_fault(claim, place, move, known)
    return None if judge.keeps(after) else f"{rules.point_name(move)} does not keep the bound"


class Judge:
    """Decides whether a claim's side can keep its bound, and remembers what it met from one question to the next.

    nodes: positions entered so far.
    """

    def __init__(self, claim: Claim, entries: int = 500_000) -> None:
        """entries: how many results are kept for each number of plies left, and how many sets of groups."""
        self.nodes = 0
        self._claim = claim
        # The margin that the mover needs, his stones less the other's: Black (at even plies left), then White.
        threshold = claim.bound if claim.black else claim.bound + 1
        self._needs = threshold, 1 - threshold
        self._entries = entries
        self._results: list[dict[int, bool]] = [{} for _ in range(PLIES + 1)]
        self._groups: dict[int, Groups] = {0: ()}
        self._ranks = [dict(_RANK_OF) for _ in range(PLIES + 1)]

    def keeps(self, place: Place) -> bool:
        """Return whether the claim's side can keep its bound from a position, whatever the other side does."""
        left, black, white, ko, passed = place
        if left == 0:
            return self._claim.holds(place.margin)
        mine, theirs = (black, white) if left % 2 == 0 else (white, black)
        wins = self._wins(mine, theirs, groups_of(mine), groups_of(theirs), ko, left, passed or left == PLIES)
        return wins == self._claim.keeper_moves(left)

    def _wins(self, mine: int, theirs: int, ours: Groups, others: Groups, ko: int, left: int, passed: bool) -> bool:
        """Return whether the mover wins; from memory where it can."""
        if left == 1:
            self.nodes += 1
            return self._white_wins_with_one_left(mine, theirs, ours, others, ko)
        key = mine | theirs << 25
        if ko or passed:
            key |= ko << 50 | passed << 75
        results = self._results[left]
        result = results.get(key)
        if result is None:
            result = self._mover_wins(mine, theirs, ours, others, ko, left, passed)
            if len(results) >= self._entries:
                results.clear()
            results[key] = result
        return result

    def _mover_wins(
        self, mine: int, theirs: int, ours: Groups, others: Groups, ko: int, left: int, passed: bool
    ) -> bool:
        """Return whether the mover wins, with 2 plies left or more.

        Both bounds are one lemma. A side S has s plies left, the other, T, has t. Let S have a group G with t + k + 1
        liberties or more, k <= s (for k = 0 no such group is asked for), fill k of them, one on each of its
        turns, and then PASS for ever.

        - A ply of T takes at most one liberty from a group. So before each of its k plies S finds at least
          (t + k + 1) - t - (k - 1) = 2 liberties of the group that G has become: one of them is not the ko point, and
          filling it leaves another, so it is legal, and G keeps one to the end.
        - Another group of S that has more than t liberties keeps one too: S's stones take
          liberties only from groups they join, and what they join is the group of G.
        - So T can capture no more than S's groups of at most t liberties, ``risk`` stones, and add t stones.
          Should S's PASS end the game early, T has added fewer.

        Hence S ends with at least margin + k - t - risk.
        """
        self.nodes += 1
        need = self._needs[left & 1]
        margin = mine.bit_count() - theirs.bit_count()
        if passed and margin >= need:
            return True
        my_plies, their_plies = (left + 1) >> 1, left >> 1
        empty = FULL & ~(mine | theirs)
        _, near, roomy, risk, spare = _survey(ours, empty, their_plies)
        if margin + min(spare, my_plies) - their_plies - risk >= need:
            return True
        takes, threats, _, risk, spare = _survey(others, empty, my_plies)
        if margin - min(spare, their_plies) + my_plies + risk < need:
            return False

        legal = ((beside(empty) & empty) | near | roomy | sum(takes)) & ~ko
        points = self._ordered(legal, takes, threats, near | roomy, left)
        for tried, point in enumerate(points):
            if self._point_wins(mine, theirs, ours, others, point, takes.get(point, 0), left):
                ranks = self._ranks[left]
                ranks[point] += (_RANK_OF[point] + _MERIT - ranks[point]) >> 2 & -32
                for other in points[:tried]:
                    ranks[other] -= (ranks[other] - _RANK_OF[other]) >> 2 & -32
                return True
        # The other side could answer a PASS with a PASS: no use where the board is not won as it stands.
        return not passed and margin >= need and not self._wins(theirs, mine, others, ours, 0, left - 1, True)

    def _white_wins_with_one_left(self, white: int, black: int, ours: Groups, others: Groups, ko: int) -> bool:
        """Return whether White's last ply leaves Black short of what he needs."""
        need = self._needs[0]
        margin = black.bit_count() - white.bit_count()
        if margin < need:
            return True
        empty = FULL & ~(black | white)
        if margin == need:
            # Any stone does.
            free = empty & ~ko
            if beside(empty) & free:
                return True
            liberties = [around & empty for _, around, _ in ours]
            if any(points & (points - 1) and points & free for points in liberties):
                return True
        taken: dict[int, int] = {}
        for _, around, size in others:
            point = around & empty
            if not point & (point - 1) and point != ko:
                taken[point] = taken.get(point, 0) + size
                if margin - 1 - taken[point] < need:
                    return True
        return False

    def _point_wins(
        self, mine: int, theirs: int, ours: Groups, others: Groups, point: int, taken: int, left: int
    ) -> bool:
        """Return whether the mover wins with a stone on a point, which takes ``taken``."""
        mine |= point
        joined = self._groups.get(mine) or self._joined(mine, ours, point)
        ko = 0
        if taken:
            theirs ^= taken
            others = tuple([group for group in others if not group[0] & taken])
            ko = rules.ko_after(mine, FULL & ~(mine | theirs), point, taken)
        return not self._wins(theirs, mine, others, joined, ko, left - 1, False)

    def _joined(self, stones: int, groups: Groups, point: int) -> Groups:
        """Return, and remember, the groups of ``stones``, which are ``groups`` and a stone on ``point``."""
        group, around = point, BESIDE[point]
        apart = []
        for other in groups:
            if other[1] & point:
                group |= other[0]
                around |= other[1]
            else:
                apart.append(other)
        apart.append((group, around & ~group, group.bit_count()))
        if len(self._groups) >= self._entries // 2:
            self._groups.clear()
        joined = self._groups[stones] = tuple(apart)
        return joined

    def _ordered(self, legal: int, takes: dict[int, int], threats: int, beside_mine: int, left: int) -> list[int]:
        """Return the legal points, the most promising first."""
        ranked = []
        captures = sum(takes)
        for point, rank in self._ranks[left].items():
            if point & legal:
                if point & beside_mine:
                    rank += 240 << 5
                if point & threats:
                    rank += 620 << 5
                if point & captures:
                    rank += 2762 * takes[point].bit_count() << 5
                ranked.append(rank)
        ranked.sort(reverse=True)
        return [_POINTS[rank & 31] for rank in ranked]


def _survey(groups: Groups, empty: int, plies: int) -> tuple[dict[int, int], int, int, int, int]:
    """Survey the liberties of one side's groups, the other side having ``plies`` to come.

    The points that take stones of it, each with those stones; the liberties of groups with two; the
    liberties of groups with more; how many stones are in groups of at most ``plies`` liberties; how many liberties
    more than ``plies`` + 1 a group has, 0 or more.
    """
    atari: dict[int, int] = {}
    near = roomy = risk = 0
    most = plies + 1
    for stones, around, size in groups:
        liberties = around & empty
        count = liberties.bit_count()
        if count == 1:
            atari[liberties] = atari.get(liberties, 0) | stones
        elif count == 2:
            near |= liberties
        else:
            roomy |= liberties
        if count <= plies:
            risk += size
        elif count > most:
            most = count
    return atari, near, roomy, risk, most - plies - 1
