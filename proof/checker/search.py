"""The search that decides a certificate's leaves; imports nothing of the project but the rules beside it.

Two bounds decide most positions near the end without playing on; why they hold is said in Judge._mover_wins(). All else
is the order of the moves, which can make it slow but not wrong.
"""

from collections.abc import Container

from proof.checker import rules
from proof.checker.rules import BESIDE, FULL, PLIES, Claim, Groups, Place, beside, groups_of

#: What a stone on a point is worth trying, by where it is.
_WORTH = (120, 1492, 1372, 1492, 120, 1492, 2240, 2469, 2240, 1492, 1372, 2469, 3292, 2469, 1372)
_WORTH_OF = {1 << p: (_WORTH + _WORTH[9::-1])[p] for p in range(25)}


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
        """entries: how many results are kept, about 150 bytes each, and half as many sets of groups."""
        self.nodes = 0
        self._claim = claim
        # What the mover needs to win, his stones less the other's: Black, who moves at even plies left, and White.
        threshold = claim.bound if claim.black else claim.bound + 1
        self._needs = threshold, 1 - threshold
        self._entries = entries
        self._results: dict[int, bool] = {}
        self._groups: dict[int, Groups] = {0: ()}
        # By plies left, how often a point was the move that succeeded, lately; 0 to 4096.
        self._merits = [dict.fromkeys(BESIDE, 0) for _ in range(PLIES + 1)]

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
        key = mine | theirs << 25 | passed << 50 | left << 51 | ko << 56
        result = self._results.get(key)
        if result is None:
            result = self._mover_wins(mine, theirs, ours, others, ko, left, passed)
            if len(self._results) >= self._entries:
                self._results.clear()
            self._results[key] = result
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
        takes, their_near, _, risk, spare = _survey(others, empty, my_plies)
        if margin - min(spare, their_plies) + my_plies + risk < need:
            return False

        legal = ((beside(empty) & empty) | near | roomy | sum(takes)) & ~ko
        points = self._ordered(legal, takes, near, their_near, mine, theirs, left)
        for tried, point in enumerate(points):
            after = self._after(mine, theirs, ours, others, point, takes.get(point, 0))
            if not self._wins(*after, left - 1, False):
                merits = self._merits[left]
                merits[point] += (4096 - merits[point]) >> 3
                for other in points[:tried]:
                    merits[other] -= merits[other] >> 3
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

    def _after(
        self, mine: int, theirs: int, ours: Groups, others: Groups, point: int, taken: int
    ) -> tuple[int, int, Groups, Groups, int]:
        """Return, for the other side, its stones, the mover's, the groups of both and the ko point after a stone."""
        mine |= point
        joined = self._groups.get(mine) or self._joined(mine, ours, point)
        if not taken:
            return theirs, mine, others, joined, 0
        theirs ^= taken
        rest = tuple(group for group in others if not group[0] & taken)
        return theirs, mine, rest, joined, rules.ko_after(mine, FULL & ~(mine | theirs), point, taken)

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

    def _ordered(
        self, legal: int, takes: dict[int, int], near: int, their_near: int, mine: int, theirs: int, left: int
    ) -> list[int]:
        """Return the legal points, the most promising first."""
        ranks = {}
        merits = self._merits[left]
        empty = FULL & ~(mine | theirs)
        while legal:
            point = legal & -legal
            legal ^= point
            around = BESIDE[point]
            rank = _WORTH_OF[point] + (merits[point] >> 4) + 96 * (around & mine).bit_count()
            rank += 24 * (around & theirs).bit_count() + 48 * (around & empty).bit_count()
            if point & near:
                rank += 48
            if point & their_near:
                rank += 620
            if point in takes:
                rank += 144 + 2762 * takes[point].bit_count()
            ranks[point] = rank
        return sorted(ranks, key=ranks.__getitem__, reverse=True)


def _survey(groups: Groups, empty: int, plies: int) -> tuple[dict[int, int], int, int, int, int]:
    """Return what the liberties of one side's groups tell, the other side having ``plies`` to come.

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
