"""The rules and a search of its own for the certificate's checker; imports nothing of the project.

A board is two bit sets: bit ``5 * i + j`` is the point in row i, column j. A point, and the ko point, is a
set of one bit; no ko is 0. Black makes the plies with an even number left, White the others and the last.
Black wins when the stones on the board, Black's less White's, are 3 or more at the end.

The search asks one question of a position: can the mover have it his way? Two bounds decide most positions near the
end without playing on; why they hold is said where they are computed, in Referee._mover_wins(). Everything else
about it is the order of the moves, which can make it slow but not wrong.
"""

FULL = (1 << 25) - 1
PLIES = 24

#: What the mover needs, his stones less the other's: Black at even plies left, White at odd.
NEEDS = (3, -2)

#: A group: its stones, the points next to it, the number of its stones.
Group = tuple[int, int, int]
Groups = tuple[Group, ...]

_NOT_WEST = FULL & ~sum(1 << 5 * i for i in range(5))
_NOT_EAST = _NOT_WEST >> 1


def beside(points: int) -> int:
    """Return the points next to any of ``points``."""
    return ((points << 5) & FULL) | (points >> 5) | ((points << 1) & _NOT_WEST) | ((points >> 1) & _NOT_EAST)


_BESIDE = {1 << p: beside(1 << p) for p in range(25)}


def groups_of(stones: int) -> Groups:
    """Return the connected groups of a set of stones of one colour."""
    found = []
    while stones:
        group, grown = 0, stones & -stones
        while grown != group:
            group = grown
            around = beside(group)
            grown |= around & stones
        found.append((group, around & ~group, group.bit_count()))
        stones &= ~group
    return tuple(found)


def breathless(stones: int, empty: int) -> int:
    """Return the stones whose groups have no liberty among the points ``empty``."""
    return sum(group for group, around, _ in groups_of(stones) if not around & empty)


def play(mine: int, theirs: int, ko: int, point: int) -> tuple[int, int, int] | None:
    """Return the mover's stones, the other's and the ko point after a stone on ``point``; None when illegal."""
    if (mine | theirs | ko) & point:
        return None
    mine |= point
    taken = breathless(theirs, FULL & ~(mine | theirs))
    theirs &= ~taken
    empty = FULL & ~(mine | theirs)
    if breathless(mine, empty):
        return None
    return mine, theirs, _ko_after(mine, empty, point, taken)


def _ko_after(mine: int, empty: int, point: int, taken: int) -> int:
    # To retake brings the board before last back only when one stone took one and has no other liberty:
    # then the retaking stone takes just that one. A stone that joined others would be taken with them.
    lone = not _BESIDE[point] & mine and _BESIDE[point] & empty == taken
    return taken if lone and taken & (taken - 1) == 0 else 0


def margin_of(black: int, white: int) -> int:
    """Return Black's stones less White's."""
    return black.bit_count() - white.bit_count()


class Referee:
    """Decides positions, and remembers what it met from one question to the next.

    nodes: positions entered so far.
    """

    def __init__(self, entries: int = 500_000) -> None:
        """entries: how many results are kept, about 150 bytes each, and half as many sets of groups."""
        self.nodes = 0
        self._entries = entries
        self._results: dict[int, bool] = {}
        self._groups: dict[int, Groups] = {0: ()}
        # For each number of plies left, how often a point was the move that succeeded, lately; 0 to 4096.
        self._merits = [dict.fromkeys(_BESIDE, 0) for _ in range(PLIES + 1)]

    def black_wins(self, black: int, white: int, ko: int, left: int, passed: bool) -> bool:
        """Return whether Black wins a position with ``left`` plies left, 0 to 24, the mover's by their parity.

        passed: whether the last ply was a PASS.
        """
        if left == 0:
            return margin_of(black, white) >= NEEDS[0]
        # A PASS ends the game after a PASS, and on the very first ply.
        passed = passed or left == PLIES
        if left % 2:
            return not self._wins(white, black, groups_of(white), groups_of(black), ko, left, passed)
        return self._wins(black, white, groups_of(black), groups_of(white), ko, left, passed)

    def _wins(self, mine: int, theirs: int, ours: Groups, others: Groups, ko: int, left: int, passed: bool) -> bool:
        """Return whether the mover wins; from memory where it can."""
        if left == 2:
            return self._black_wins_with_two_left(mine, theirs, ours, others, ko, passed)
        if left == 1:
            self.nodes += 1
            return _white_wins_with_one_left(mine, theirs, ours, others, ko)
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
        """Return whether the mover wins, with 3 plies left or more.

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
        need = NEEDS[left & 1]
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
        points = _ordered(legal, takes, near, their_near, self._merits[left])
        for tried, point in enumerate(points):
            after = self._after(mine, theirs, ours, others, point, takes.get(point, 0))
            if not self._wins(*after, left - 1, False):
                self._learn(left, points, tried)
                return True
        # The other side could answer a PASS with a PASS: no use where the board is not won as it stands.
        return not passed and margin >= need and not self._wins(theirs, mine, others, ours, 0, left - 1, True)

    def _black_wins_with_two_left(
        self, black: int, white: int, ours: Groups, others: Groups, ko: int, passed: bool
    ) -> bool:
        """Return whether Black wins with his last ply and then White's to come."""
        self.nodes += 1
        margin = black.bit_count() - white.bit_count()
        if passed and margin >= 3:
            return True
        empty = FULL & ~(black | white)
        takes = _survey(others, empty, 0)[0]
        if margin < 2:
            # Black needs 3 when he has moved, so he must take 2 - margin stones.
            points = sum(point for point, taken in takes.items() if taken.bit_count() >= 2 - margin)
        else:
            atari, near, roomy, _, _ = _survey(ours, empty, 0)
            # White can take nothing while no black group has but one liberty: so PASS wins when 4 ahead, and
            # when 3 ahead to fill a liberty of a group that keeps two.
            if not atari and ((margin > 3 and not passed) or (margin > 2 and roomy)):
                return True
            points = (beside(empty) & empty) | near | roomy | sum(takes)
        points &= ~ko
        while points:
            point = points & -points
            points ^= point
            after = self._after(black, white, ours, others, point, takes.get(point, 0))
            if not _white_wins_with_one_left(*after):
                return True
        return margin >= 3 and not passed and not _white_wins_with_one_left(white, black, others, ours, 0)

    def _after(
        self, mine: int, theirs: int, ours: Groups, others: Groups, point: int, taken: int
    ) -> tuple[int, int, Groups, Groups, int]:
        """Return the position after the mover's stone on ``point``, which is legal and takes the stones ``taken``.

        For the other side: its stones, the mover's, the groups of both, the ko point.
        """
        mine |= point
        joined = self._groups.get(mine) or self._joined(mine, ours, point)
        if not taken:
            return theirs, mine, others, joined, 0
        theirs ^= taken
        rest = tuple(group for group in others if not group[0] & taken)
        return theirs, mine, rest, joined, _ko_after(mine, FULL & ~(mine | theirs), point, taken)

    def _joined(self, stones: int, groups: Groups, point: int) -> Groups:
        """Return, and remember, the groups of ``stones``, which are ``groups`` and a stone on ``point``."""
        group, around = point, _BESIDE[point]
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

    def _learn(self, left: int, points: list[int], tried: int) -> None:
        """Note that of ``points`` the one at index ``tried`` was the first to win."""
        merits = self._merits[left]
        best = points[tried]
        merits[best] += (4096 - merits[best]) >> 3
        for point in points[:tried]:
            merits[point] -= merits[point] >> 3


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


def _ordered(legal: int, takes: dict[int, int], near: int, their_near: int, merits: dict[int, int]) -> list[int]:
    """Return the legal points, the most promising first."""
    ranks = {}
    while legal:
        point = legal & -legal
        legal ^= point
        rank = merits[point]
        if point & near:
            rank += 250
        if point & their_near:
            rank += 350
        if point in takes:
            rank += 2000 * takes[point].bit_count()
        ranks[point] = rank
    return sorted(ranks, key=ranks.__getitem__, reverse=True)


def _white_wins_with_one_left(white: int, black: int, ours: Groups, others: Groups, ko: int) -> bool:
    """Return whether White's last ply leaves Black less than 3 ahead."""
    margin = black.bit_count() - white.bit_count()
    if margin < 3:
        return True
    empty = FULL & ~(black | white)
    if margin == 3:
        # Any stone does.
        free = empty & ~ko
        if beside(empty) & free:
            return True
        for _, around, _ in ours:
            liberties = around & empty
            if liberties & (liberties - 1) and liberties & free:
                return True
    taken: dict[int, int] = {}
    for _, around, size in others:
        liberties = around & empty
        if not liberties & (liberties - 1) and liberties != ko:
            taken[liberties] = taken.get(liberties, 0) + size
            if margin - 1 - taken[liberties] < 3:
                return True
    return False
