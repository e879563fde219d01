"""The exact solver in pure Python; part of ``my_player3.py``, Python 3.7.

A position is seen from the mover: ``me`` and ``opp`` are the mover's and the other side's
stones, ``margin`` is stones me - opp, and a value is the margin at the end under best play.
The search asks null-window questions, "is the value at least ``goal``?", and answers them with a
bound: an answer of at least ``goal`` is a proven lower bound, a smaller one a proven upper bound.

A PASS is tried only when the margin reaches the goal: with a smaller one the other side's PASS
ends the game. So a question with a smaller margin has the same answer whether or not the last
ply was a PASS, one with a margin that suffices is answered by the PASS that ends the game, and
the table needs no passes.

Before a search, liberties bound the value: any fixed way of playing for one side, the keeper,
bounds what the other, the attacker, can reach. The keeper here fills only liberties that it can
spare, and passes otherwise; the attacker has ``n`` plies left:

- A group with more than n liberties stands, for each takes a ply to fill. The other groups count
  as lost, but for the smallest if their liberties together are more than n.
- A standing group with L liberties has L - n - 1 to spare. An attacker's ply on one of them
  leaves that number as it is, any other ply adds one.
- So two standing groups without a common liberty let the keeper fill after every attacker's ply.
  With one, taking a group in reach gives the keeper a fill for each liberty of that
  group off the standing ones, but for a last ply that the keeper cannot answer.

The keeper's own liberties are never forbidden to it by ko, since a ko point has only the taker's
stones around it. An early end by two passes only spares the keeper attacker's stones.

The search is one closure for speed, ``ExactSolver._make_search``: its variables are the table, histories, caches and
limits, and most of these functions are inside it:

- ``run``, which ``decide`` calls with a question, sets the limits, calls ``poll`` and ``search``, counts the nodes, and
  returns the bound and the move.
- ``search`` answers with four plies left or more, in the steps that its comments number: it judges the captures, then
  the other moves, by table and liberties; ranks and searches the rest; and writes the table, the hints and the history.
- ``last_three``, called by ``run`` and ``search``, answers with three plies left, each move by ``last_two``.
- ``last_two`` answers with two plies left, from masks. It changes none of these variables, so it is a closure of its
  own, as is ``quiet_points``, which finds the points for stones that take nothing.
- ``poll``, called by ``run`` and about every thousand nodes by the search, raises _SearchStopped at a limit, which
  ``decide`` catches, and empties what has grown too large.

``decide`` plays out positions with one or two plies left (``_play_out``); ``value`` asks it until both bounds meet.
"""

import time
from typing import Callable, Dict, List, Optional, Tuple

from solver.answer import LEAST, MOST, Answer
from solver.position import FULL, PASS, POINTS, Position, neighbours

#: Entries the transposition table, the hints and the caches may hold; together under 200 MB.
_TABLE_LIMIT = 1000000
_HINT_LIMIT = 400000
_CACHE_LIMIT = 150000

#: With no more plies left, moves are not noted as hints, but for the question's own position.
_HINT_LEFT = 6

#: How many nodes are searched between looks at the limits.
_POLL_NODES = 1000

# The order of moves, by random search for the fewest nodes. Ranks add up: for the point by its
# neighbours on the board, for each stone taken, for each group by its liberties, and for the
# move's history, which is kept for each number of plies left and soon forgets.
_RANK_NEIGHBOUR = 1.68
_RANK_TAKEN = 1.4
_RANK_PASS = -4.2
_RANK_HISTORY = 10.0
_HISTORY_GAIN = 0.28
_HISTORY_LOSS = 0.6
_RANK_HINT = 1000.0

#: A group: the points next to it, its size, and its stones.
_ExactGroup = Tuple[int, int, int]

#: A move as a bit (0 for PASS) and the rank of its point.
_RankedBit = Tuple[int, float]

#: The PASS among moves.
_PASSING: Tuple[_RankedBit, ...] = ((0, _RANK_PASS),)


def _half_neighbours(first: int, count: int) -> List[int]:
    """Return the neighbours of every set of ``count`` points from ``first`` on."""
    table = [0]
    for point in range(first, first + count):
        near = neighbours(1 << point)
        table += [mask | near for mask in table]
    return table


_NEAR_LOW = _half_neighbours(0, 13)
_NEAR_HIGH = _half_neighbours(13, 12)
_NEAR_BIT = {1 << point: neighbours(1 << point) for point in range(POINTS)}

#: The points, those with most neighbours first: they are judged in this order.
_RANKED_BITS: List[_RankedBit] = sorted(
    ((bit, _RANK_NEIGHBOUR * bin(near).count("1")) for bit, near in _NEAR_BIT.items()), key=lambda pair: -pair[1]
)

#: (lo, hi) as shared objects, so that a table entry costs no memory of its own.
_BOUNDS = [[(lo, hi) for hi in (*range(MOST + 1), *range(LEAST, 0))] for lo in (*range(MOST + 1), *range(LEAST, 0))]


class CountCache(Dict[int, int]):
    """The number of points in a mask."""

    def __missing__(self, mask: int) -> int:
        count = self[mask] = bin(mask).count("1")
        return count


class _MoveCache(Dict[int, Tuple[_RankedBit, ...]]):
    """The points of a mask as ranked bits."""

    def __missing__(self, mask: int) -> Tuple[_RankedBit, ...]:
        moves = self[mask] = tuple([pair for pair in _RANKED_BITS if pair[0] & mask])
        return moves


class GroupCache(Dict[int, Tuple[_ExactGroup, ...]]):
    """The groups of one colour's stones. Equal groups are one object, however many masks they are in."""

    def __init__(self) -> None:
        self._known: Dict[int, _ExactGroup] = {}

    def __missing__(self, stones: int) -> Tuple[_ExactGroup, ...]:
        groups = []
        rest = stones
        while rest:
            group = rest & -rest
            while True:
                grown = (group | _NEAR_LOW[group & 8191] | _NEAR_HIGH[group >> 13]) & rest
                if grown == group:
                    break
                group = grown
            rest ^= group
            groups.append(self._known.get(group) or self._learn(group))
        result = self[stones] = tuple(groups)
        return result

    def extend(self, groups: Tuple[_ExactGroup, ...], stone: int, stones: int) -> Tuple[_ExactGroup, ...]:
        """Store and return the groups of ``stones``, which are those of ``groups`` and one stone more."""
        merged, apart = stone, []
        for group in groups:
            if group[0] & stone:
                merged |= group[2]
            else:
                apart.append(group)
        apart.append(self._known.get(merged) or self._learn(merged))
        result = self[stones] = tuple(apart)
        return result

    def trim(self, limit: int) -> None:
        """Forget everything when there are more than ``limit`` entries."""
        if len(self) > limit:
            self.clear()
            self._known.clear()

    def _learn(self, group: int) -> _ExactGroup:
        near = (_NEAR_LOW[group & 8191] | _NEAR_HIGH[group >> 13]) & ~group
        entry = self._known[group] = (near, bin(group).count("1"), group)
        return entry


def _own_rank(size: int, liberties: int) -> float:
    """Return the rank that a group of the mover's with these liberties after a move adds to the move."""
    danger = 2.4 + 1.7 * size if liberties < 2 else 0.3 + 0.4 * size if liberties == 2 else 0.0
    return 0.5 * min(liberties, 8) - 1.4 - danger


def _opp_rank(size: int, liberties: int) -> float:
    """Return the rank that a group of the opponent's with these liberties after a move adds to the move."""
    return (0.6 + 1.2 * size if liberties < 2 else 0.0) - 0.5 * min(liberties, 8)


#: The ranks by a group's size and liberties.
_OWN_RANKS = [[_own_rank(size, liberties) for liberties in range(POINTS)] for size in range(POINTS)]
_OPP_RANKS = [[_opp_rank(size, liberties) for liberties in range(POINTS)] for size in range(POINTS)]


class _SearchStopped(Exception):
    """The node limit or the CPU deadline was reached."""


def _trim(tables: List[Dict[int, Tuple[int, int]]]) -> None:
    """Empty tables that together are too large."""
    size = sum([len(table) for table in tables])
    for table in tables:
        # The entries with the fewest plies left are found again soonest.
        if size <= _TABLE_LIMIT:
            break
        size -= len(table)
        table.clear()


def _make_quiet_points() -> Callable[[Tuple[_ExactGroup, ...], int, int], int]:
    """Return a function of the search as a closure: its variables are faster than a module's."""
    near_low, near_high = _NEAR_LOW, _NEAR_HIGH

    def quiet_points(own_groups: Tuple[_ExactGroup, ...], empty: int, takes: int) -> int:
        """Collect the points outside ``takes`` where a stone has a liberty."""
        points = (near_low[empty & 8191] | near_high[empty >> 13]) & empty
        if points | takes != empty:
            for near, _, _ in own_groups:
                liberties = near & empty
                if liberties & (liberties - 1):
                    points |= liberties
        return points & ~takes

    return quiet_points


def _make_last_two(groups_of: GroupCache, moves_of: _MoveCache) -> Callable[[int, int, int, int, int], int]:
    """Return a function of the search as a closure: its variables are faster than a module's."""
    near_low, near_high, near_bit = _NEAR_LOW, _NEAR_HIGH, _NEAR_BIT
    passing, full = _PASSING, FULL

    def last_two(me: int, opp: int, ko: int, margin: int, goal: int) -> int:
        """Answer the question with two plies left, without a call for each move."""
        empty = full ^ (me | opp)
        takes = 0
        for near, _, _ in groups_of[opp]:
            liberties = near & empty
            if not liberties & (liberties - 1):
                takes |= liberties
        if not takes and margin + 1 < goal:
            return margin + 1
        legal = (near_low[empty & 8191] | near_high[empty >> 13]) & empty | takes
        if legal != empty:
            for near, _, _ in groups_of[me]:
                liberties = near & empty
                if liberties & (liberties - 1):
                    legal |= liberties
        legal &= ~ko
        moves = moves_of[takes & legal] + moves_of[legal & ~takes] if takes else moves_of[legal]
        best = margin
        if margin >= goal:
            best = LEAST
            moves += passing
        for bit, _ in moves:
            result = margin
            opp_after, ko_after = opp, 0
            if bit:
                result += 1
                if bit & takes:
                    for near, size, group in groups_of[opp]:
                        if near & empty == bit:
                            opp_after ^= group
                            result += size
                    taken = opp ^ opp_after
                    if not taken & (taken - 1) and not near_bit[bit] & ~opp:
                        ko_after = taken
            if result >= goal:
                # The reply: the most stones in atari at one point, else any stone, else PASS.
                after = full ^ (me | bit | opp_after)
                lost: Dict[int, int] = {}
                for near, size, _ in groups_of[me | bit]:
                    liberties = near & after
                    if not liberties & (liberties - 1) and liberties != ko_after:
                        lost[liberties] = lost.get(liberties, 0) + size
                if lost:
                    result -= 1 + max(lost.values())
                elif (near_low[after & 8191] | near_high[after >> 13]) & after & ~ko_after:
                    result -= 1
                else:
                    for near, _, _ in groups_of[opp_after]:
                        liberties = near & after
                        if liberties & (liberties - 1):
                            result -= 1
                            break
                if result >= goal:
                    return result
            if result > best:
                best = result
        return best

    return last_two


#: search(me, opp, ko bit, plies left, margin, goal, node limit, CPU deadline) -> (bound, move bit)
_ExactSearch = Callable[[int, int, int, int, int, int, Optional[int], Optional[float]], Tuple[int, int]]


class ExactSolver:
    """A solver with a table of proven bounds, kept from question to question.

    The table and caches stay under 200 MB. Public attribute ``nodes``: nodes since the solver was made, positions that
    the search reaches, those after the last ply not counted.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self._hints: Dict[int, int] = {}
        self._search = self._make_search()

    def decide(
        self, position: Position, threshold: int, node_limit: Optional[int] = None, cpu_deadline: Optional[float] = None
    ) -> Answer:
        """Decide whether the position's value, from Black's side, is at least ``threshold``.

        node_limit: stop after about so many nodes. cpu_deadline: stop when time.process_time()
        passes it. Stopped so, the Answer leaves the question open.
        """
        if position.is_over:
            return Answer(position.margin, position.margin, None, 0)
        black = position.black_to_move
        me, opp = (position.black, position.white) if black else (position.white, position.black)
        ko = 0 if position.ko is None else 1 << position.ko
        margin = position.margin if black else -position.margin
        goal = threshold if black else 1 - threshold
        before = self.nodes
        if position.left <= 2:
            value, move = self._play_out(position)
            return Answer(value, value, move, self.nodes - before)
        if position.pass_ends and margin >= goal:
            bound, bit = margin, 0
        else:
            try:
                bound, bit = self._search(me, opp, ko, position.left, margin, goal, node_limit, cpu_deadline)
            except _SearchStopped:
                bit = self._hints.get(opp << POINTS | me | ko << 2 * POINTS, -1)
                best = position.legal_moves()[0] if bit < 0 else _move_of_bit(bit)
                return Answer(LEAST, MOST, best, self.nodes - before)
        lo, hi = (bound, MOST) if bound >= goal else (LEAST, bound)
        if not black:
            lo, hi = -hi, -lo
        return Answer(lo, hi, _move_of_bit(bit), self.nodes - before)

    def value(
        self, position: Position, node_limit: Optional[int] = None, cpu_deadline: Optional[float] = None
    ) -> Answer:
        """Find the position's exact value, or the bounds proven within the limits of decide()."""
        before = self.nodes
        lo, hi = LEAST, MOST
        best: Optional[int] = None
        guess = min(max(position.margin, LEAST + 1), MOST)
        while lo < hi:
            rest = None if node_limit is None else node_limit - (self.nodes - before)
            answer = self.decide(position, guess, rest, cpu_deadline)
            reached = answer.at_least(guess)
            if best is None or reached == position.black_to_move:
                best = answer.best
            if reached is None:
                break
            lo, hi = max(lo, answer.lo), min(hi, answer.hi)
            guess = lo + 1 if reached else hi
        return Answer(lo, hi, best, self.nodes - before)

    def _play_out(self, position: Position) -> Tuple[int, int]:
        """Return the exact value, from Black's side, and a move that keeps it, by playing all moves."""
        self.nodes += 1
        best, best_move = None, PASS
        sign = 1 if position.black_to_move else -1
        for move in position.legal_moves():
            child = position.play(move)
            value = sign * (child.margin if child.is_over else self._play_out(child)[0])
            if best is None or value > best:
                best, best_move = value, move
        return sign * (best or 0), best_move

    def _make_search(self) -> _ExactSearch:
        """Return the search as a closure: its variables are faster than attributes."""
        counts = CountCache()
        moves_of = _MoveCache()
        groups_of = GroupCache()
        near_bit, bounds, full = _NEAR_BIT, _BOUNDS, FULL
        own_ranks, opp_ranks = _OWN_RANKS, _OPP_RANKS
        cached_groups = groups_of.get
        hints = self._hints
        # tables[left]: positions with so many plies left; me | opp << 25 | ko bit << 50 -> (lo, hi).
        tables: List[Dict[int, Tuple[int, int]]] = [{} for _ in range(POINTS)]
        histories: List[Dict[int, float]] = [dict.fromkeys((0, *near_bit), 0.0) for _ in range(POINTS)]
        passing = _PASSING
        quiet_points, last_two = _make_quiet_points(), _make_last_two(groups_of, moves_of)
        no_bounds = (LEAST, MOST)
        rank_taken, rank_hint, history_most = _RANK_TAKEN, _RANK_HINT, _RANK_HISTORY
        history_gain, history_loss = _HISTORY_GAIN, _HISTORY_LOSS
        nodes = next_poll = failed_bit = top = 0
        node_stop: Optional[int] = None
        cpu_stop: Optional[float] = None

        def poll() -> None:
            nonlocal next_poll
            next_poll = nodes + _POLL_NODES
            if node_stop is not None:
                if nodes >= node_stop:
                    raise _SearchStopped
                next_poll = min(next_poll, node_stop)
            if cpu_stop is not None and time.process_time() >= cpu_stop:
                raise _SearchStopped
            groups_of.trim(_CACHE_LIMIT)
            if len(counts) + len(moves_of) > _CACHE_LIMIT:
                counts.clear()
                moves_of.clear()
            if len(hints) > _HINT_LIMIT:
                hints.clear()
            _trim(tables)

        def last_three(me: int, opp: int, ko: int, key: int, left: int, margin: int, goal: int) -> int:
            """Answer the question with three plies left, move by move: here an answer costs less than bounds."""
            nonlocal nodes, failed_bit
            if nodes >= next_poll:
                poll()
            empty = full ^ (me | opp)
            own_groups = groups_of[me]
            takes = 0
            taken_at: Dict[int, int] = {}
            for near, _, group in groups_of[opp]:
                liberties = near & empty
                if not liberties & (liberties - 1):
                    takes |= liberties
                    taken_at[liberties] = taken_at.get(liberties, 0) | group
            moves = moves_of[takes & ~ko] + moves_of[quiet_points(own_groups, empty, takes) & ~ko]
            best, best_bit = margin, 0
            if margin >= goal:
                best = LEAST
                moves += passing
            for bit, _ in moves:
                nodes += 1
                me_after, opp_after, ko_after, margin_after = me | bit, opp, 0, margin
                if bit:
                    margin_after += 1
                    if bit & takes:
                        taken = taken_at[bit]
                        opp_after ^= taken
                        margin_after += counts[taken]
                        if not taken & (taken - 1) and not near_bit[bit] & ~opp:
                            ko_after = taken
                    if me_after not in groups_of:
                        groups_of.extend(own_groups, bit, me_after)
                bound = -last_two(opp_after, me_after, ko_after, -margin_after, 1 - goal)
                if bound >= goal:
                    # Only the question's own move is looked for among the hints.
                    if left == top:
                        hints[key] = bit
                    return bound
                if bound > best:
                    best, best_bit = bound, bit
            failed_bit = best_bit
            return best

        def search(me: int, opp: int, ko: int, key: int, left: int, margin: int, goal: int) -> int:
            """Answer the question with four plies left or more; ``key`` is the position's own."""
            nonlocal nodes, failed_bit
            if nodes >= next_poll:
                poll()
            # Near the end no hint is ever found again.
            far = left > _HINT_LEFT or left == top
            hint = hints.get(key, -1) if far else -1
            history = histories[left]
            table = tables[left - 1]
            # After the move the other side has ``theirs`` plies and plays first, the mover ``mine``.
            mine, theirs = (left - 1) >> 1, left >> 1
            their_last = theirs - mine
            enough = goal + their_last
            empty = full ^ (me | opp)
            own_groups, opp_groups = groups_of[me], groups_of[opp]
            takes = 0
            taken_at: Dict[int, int] = {}
            for near, _, group in opp_groups:
                liberties = near & empty
                if not liberties & (liberties - 1):
                    takes |= liberties
                    taken_at[liberties] = taken_at.get(liberties, 0) | group
            best, best_bit = (margin, 0) if margin < goal else (LEAST, 0)
            todo = []

            # Step 1. Judge the captures, with which most searches end, then the other moves.
            for quiet in (False, True):
                if quiet:
                    moves = moves_of[quiet_points(own_groups, empty, takes) & ~ko]
                    if margin >= goal:
                        moves += passing
                else:
                    moves = moves_of[takes & ~ko]
                for bit, rank in moves:
                    # Step 2. Make the move.
                    nodes += 1
                    me_after, opp_after, ko_after, margin_after = me | bit, opp, 0, margin
                    opp_groups_after = opp_groups
                    if bit:
                        margin_after += 1
                        if bit & takes:
                            taken = taken_at[bit]
                            opp_after ^= taken
                            opp_groups_after = groups_of[opp_after]
                            margin_after += counts[taken]
                            rank += rank_taken * counts[taken]
                            if not taken & (taken - 1) and not near_bit[bit] & ~opp:
                                ko_after = taken
                    after = full ^ (me_after | opp_after)

                    # Step 3. What the table proves of the position after it may be the answer, or drop the move.
                    key_after = opp_after | me_after << 25
                    if ko_after:
                        key_after |= ko_after << 50
                    entry = table.get(key_after)
                    if entry is not None:
                        low, high = entry
                        if -high >= goal:
                            if far:
                                hints[key] = bit
                            return -high
                        if -low < goal:
                            if -low > best:
                                best, best_bit = -low, bit
                            continue

                    # Step 4. Choose the keeper. With a stone for each ply left the mover has the goal or not: only
                    # the keeper who would have won then can decide. The other side's groups count for the rank alone.
                    mover_keeps = margin_after >= enough
                    if mover_keeps:
                        groups = cached_groups(me_after)
                        if groups is None:
                            groups = groups_of.extend(own_groups, bit, me_after)
                        ranks = own_ranks
                        keeps, attacks, attacker_last = mine, theirs, their_last
                    else:
                        groups = opp_groups_after
                        ranks = opp_ranks
                        keeps, attacks, attacker_last = theirs, mine, 1 - their_last

                    # Step 5. Count the keeper's groups that stand, and those in reach of the attacker.
                    most = standing = common = lost = reach = in_reach = 0
                    least = POINTS
                    for near, size, _ in groups:
                        liberties = near & after
                        count = counts[liberties]
                        rank += ranks[size][count]
                        if count > attacks:
                            if count > most:
                                most = count
                            if not common & liberties:
                                standing += 1
                            common |= liberties
                        else:
                            reach |= liberties
                            in_reach += 1
                            lost += size
                            if size < least:
                                least = size

                    # Step 6. Bound what the keeper fills and loses.
                    if standing > 1:
                        fills = keeps
                        # The other side's first ply has no attacker's ply before it.
                        if not mover_keeps and most == attacks + 1:
                            fills -= 1
                    elif standing:
                        fills = most - attacks - 1
                        if fills > keeps:
                            fills = keeps
                    else:
                        fills = 0
                    if lost:
                        if in_reach > 1:
                            if counts[reach] > attacks:
                                lost -= least
                        elif standing == 1 and fills < keeps:
                            spare = counts[reach & ~common] - attacker_last
                            if spare > keeps - fills:
                                spare = keeps - fills
                            if spare > 0:
                                lost = lost - spare if lost > spare else 0

                    # Step 7. The bound may be the answer, or drop the move.
                    if mover_keeps:
                        bound = margin_after - theirs + fills - lost
                        if bound >= goal:
                            if far:
                                hints[key] = bit
                            return bound
                        groups, ranks = opp_groups_after, opp_ranks
                    else:
                        bound = margin_after + mine - fills + lost
                        if bound < goal:
                            if bound > best:
                                best, best_bit = bound, bit
                            continue
                        groups = cached_groups(me_after)
                        if groups is None:
                            groups = groups_of.extend(own_groups, bit, me_after)
                        ranks = own_ranks

                    # Step 8. Rank the moves that are left.
                    for near, size, _ in groups:
                        rank += ranks[size][counts[near & after]]
                    if bit == hint:
                        rank += rank_hint
                    todo.append((rank + history[bit], bit, opp_after, me_after, ko_after, key_after, margin_after))

            # Step 9. Search the moves that are left, by rank.
            todo.sort(reverse=True)
            deeper = search if left > 4 else last_three
            other_goal = 1 - goal
            for _, bit, opp_after, me_after, ko_after, key_after, margin_after in todo:
                # Step 10. Ask, and note the answer. The table has no more than in step 3: only this loop writes
                # positions with as many plies left, each once.
                low, high = table.get(key_after, no_bounds)
                bound = deeper(opp_after, me_after, ko_after, key_after, left - 1, -margin_after, other_goal)
                if bound < other_goal:
                    table[key_after] = bounds[low][bound]
                    if far:
                        hints[key] = bit
                    history[bit] += (history_most - history[bit]) * history_gain
                    return -bound
                table[key_after] = bounds[bound][high]
                history[bit] -= history[bit] * history_loss
                if -bound > best:
                    best, best_bit = -bound, bit
            failed_bit = best_bit
            return best

        def run(
            me: int,
            opp: int,
            ko: int,
            left: int,
            margin: int,
            goal: int,
            node_limit: Optional[int],
            cpu_deadline: Optional[float],
        ) -> Tuple[int, int]:
            nonlocal next_poll, node_stop, cpu_stop, top
            top = left
            cpu_stop = cpu_deadline
            node_stop = None if node_limit is None else nodes + node_limit
            before = nodes
            poll()
            key = opp << POINTS | me | ko << 2 * POINTS
            try:
                bound = (search if left > 3 else last_three)(me, opp, ko, key, left, margin, goal)
            finally:
                self.nodes += nodes - before
            return bound, hints[key] if bound >= goal else failed_bit

        return run


def _move_of_bit(bit: int) -> int:
    return bit.bit_length() - 1 if bit else PASS
