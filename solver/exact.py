"""The exact solver in pure Python.

The module is part of ``my_player3.py`` and must run with Python 3.7. All functions of the search describe a position
from the mover's point of view. The parameters ``me`` and ``opp`` are the stones of the mover and of the opponent,
``margin`` is the number of stones of ``me`` minus the number of stones of ``opp``, and a value is the margin at the end
under best play. The search answers the question whether the value is at least ``goal`` (a null-window search). The
answer is a bound: an answer of ``goal`` or more is a proven lower bound, and a smaller answer is a proven upper bound.

**PASS.** PASS is tried only if the margin reaches the goal. If the margin is smaller, PASS does not reach the goal,
because the opponent can pass too and end the game. So with a smaller margin the answer does not depend on whether the
last ply was a PASS. If the margin reaches the goal and the last ply was a PASS, then PASS ends the game and reaches the
goal, so ``decide`` returns PASS without a search. Therefore the keys of the table do not need a bit for passes.

**The siege.** Before a move is searched, the liberties after the move lead to a bound on the value. If one side, the
keeper, follows a fixed strategy, this limits the result of the other side, the attacker. This keeper fills only
liberties that its groups can spare, and passes otherwise. The attacker has n plies left:

- A group of the keeper with more than n liberties is *standing*, because the attacker cannot fill all of these
  liberties. All other groups are *targets* and count as captured. If all targets together have more than n liberties,
  the smallest target survives.
- A standing group with L liberties can spare L - n - 1 of its liberties. If the attacker plays on a liberty of the
  group, this number stays the same. Any other ply of the attacker increases the number by one.
- So if there are two standing groups that share no liberty, the keeper can fill a liberty after every ply of the
  attacker. If there are only one standing group and one target, the attacker captures the target by plies on the
  target's liberties. After each of these plies that is not on a liberty of the standing group, the keeper can fill a
  liberty, except after the last ply of the game.

The number of stones that the keeper adds by fills is its *growth*. The ko rule never forbids a fill, because all
neighbours of a ko point are stones of the side that captured on this point. If two passes end the game early, the
attacker adds fewer stones, so the bound is still correct. The document docs/explanation/KERNEL.md has pictures of a
siege.

**The functions.** The functions of the search are in a single closure, ``ExactSolver._make_search``, because local
variables are faster than attributes. These variables are the table, the histories, the caches and the limits.

- The function ``run``, which ``decide`` calls, sets the limits, calls ``poll`` and ``search``, counts the nodes, and
  returns the bound and the move.
- The function ``search`` is used with four or more plies left. The function judges the captures and then the other
  moves by the table and by the siege, and then sorts and searches the moves that are still open. The ten numbered steps
  are in a single function, because an additional call for each move would cost time.
- The function ``last_three`` is used with three plies left, and judges each move by ``last_two``.
- The function ``last_two`` is used with two plies left, and judges each move without a further search.
- The function ``quiet_points`` finds the points for stones that capture nothing. The functions ``quiet_points`` and
  ``last_two`` change no variable of the large closure, so they are separate closures.
- The function ``poll``, which is called about once every thousand nodes, raises _SearchStopped at a limit, and empties
  tables and caches that have become too large.

Positions with one or two plies left are played out by ``decide`` (``_play_out``). The method ``value`` calls ``decide``
until both bounds are equal.
"""

import time
from typing import Callable, Dict, List, Optional, Tuple

from little_go.solver.answer import LEAST, MOST, Answer
from little_go.solver.position import FULL, PASS, POINTS, Position, neighbours

#: The maximum numbers of entries in the transposition table, the hints and the caches. At these limits all
#: tables together need less than 200 MB.
_TABLE_LIMIT = 1000000
_HINT_LIMIT = 400000
_CACHE_LIMIT = 150000

#: The largest number of plies left at which a best move is stored as a hint only for the root of the search. Other
#: positions with so few plies left rarely occur again.
_HINT_LEFT = 6

#: The number of nodes between two checks of the limits.
_POLL_NODES = 1000

# The moves are searched in descending order of rank. A rank is the sum of a weight for each neighbouring point, a
# weight for each captured stone, a weight for each group that depends on its liberties after the move, and the move's
# history. There is a history for each number of plies left, in which old results soon lose their weight. The weights
# were found by a random search for the smallest number of nodes.
_RANK_NEIGHBOUR = 1.68
_RANK_CAPTURED = 1.4
_RANK_PASS = -4.2
_RANK_HISTORY = 10.0
_HISTORY_GAIN = 0.28
_HISTORY_LOSS = 0.6
_RANK_HINT = 1000.0

#: A group: the mask of its neighbours, the number of its stones, and the mask of its stones.
_ExactGroup = Tuple[int, int, int]

#: A move as the bit of its point (0 for PASS), and the part of its rank that depends only on the point.
_RankedBit = Tuple[int, float]

#: The move PASS with its rank, in a tuple.
_PASSING: Tuple[_RankedBit, ...] = ((0, _RANK_PASS),)


def _half_neighbours(first: int, count: int) -> List[int]:
    """Return a table with the neighbours of every subset of the ``count`` points from ``first`` on.

    The index of a subset is its mask, shifted to the right by ``first`` bits.
    """
    table = [0]
    for point in range(first, first + count):
        near = neighbours(1 << point)
        table += [mask | near for mask in table]
    return table


_NEAR_LOW = _half_neighbours(0, 13)
_NEAR_HIGH = _half_neighbours(13, 12)
_NEAR_BIT = {1 << point: neighbours(1 << point) for point in range(POINTS)}

#: The points in the order in which moves are judged: points with four neighbours come first, and the corners last.
_RANKED_BITS: List[_RankedBit] = sorted(
    ((bit, _RANK_NEIGHBOUR * bin(near).count("1")) for bit, near in _NEAR_BIT.items()), key=lambda pair: -pair[1]
)

#: The element _BOUNDS[lo][hi] is the tuple (lo, hi). Entries of the table share these tuples, which saves memory.
_BOUNDS = [[(lo, hi) for hi in (*range(MOST + 1), *range(LEAST, 0))] for lo in (*range(MOST + 1), *range(LEAST, 0))]


class CountCache(Dict[int, int]):
    """A cache that maps a mask to the number of its points."""

    def __missing__(self, mask: int) -> int:
        count = self[mask] = bin(mask).count("1")
        return count


class _MoveCache(Dict[int, Tuple[_RankedBit, ...]]):
    """A cache that maps a mask to its points. The points are ranked bits, in the order in which moves are judged."""

    def __missing__(self, mask: int) -> Tuple[_RankedBit, ...]:
        moves = self[mask] = tuple([pair for pair in _RANKED_BITS if pair[0] & mask])
        return moves


class GroupCache(Dict[int, Tuple[_ExactGroup, ...]]):
    """A cache that maps a mask of one colour's stones to its groups. Equal groups of several masks are one object."""

    def __init__(self) -> None:
        self._by_stones: Dict[int, _ExactGroup] = {}

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
            groups.append(self._by_stones.get(group) or self._describe(group))
        result = self[stones] = tuple(groups)
        return result

    def extend(self, groups: Tuple[_ExactGroup, ...], stone: int, stones: int) -> Tuple[_ExactGroup, ...]:
        """Store and return the groups of ``stones``, the mask that results from ``groups`` if ``stone`` is added."""
        merged, apart = stone, []
        for group in groups:
            if group[0] & stone:
                merged |= group[2]
            else:
                apart.append(group)
        apart.append(self._by_stones.get(merged) or self._describe(merged))
        result = self[stones] = tuple(apart)
        return result

    def trim(self, limit: int) -> None:
        """Remove all entries if the cache has more than ``limit`` entries."""
        if len(self) > limit:
            self.clear()
            self._by_stones.clear()

    def _describe(self, group: int) -> _ExactGroup:
        near = (_NEAR_LOW[group & 8191] | _NEAR_HIGH[group >> 13]) & ~group
        entry = self._by_stones[group] = (near, bin(group).count("1"), group)
        return entry


def _own_rank(size: int, liberties: int) -> float:
    """Return the weight, in the rank of a move, of a group of the mover with these stones and liberties afterwards."""
    danger = 2.4 + 1.7 * size if liberties < 2 else 0.3 + 0.4 * size if liberties == 2 else 0.0
    return 0.5 * min(liberties, 8) - 1.4 - danger


def _opp_rank(size: int, liberties: int) -> float:
    """Return the weight, in the rank of a move, of an opponent's group with these stones and liberties afterwards."""
    return (0.6 + 1.2 * size if liberties < 2 else 0.0) - 0.5 * min(liberties, 8)


#: Tables with the weights of groups, indexed by the number of stones and the number of liberties.
_OWN_RANKS = [[_own_rank(size, liberties) for liberties in range(POINTS)] for size in range(POINTS)]
_OPP_RANKS = [[_opp_rank(size, liberties) for liberties in range(POINTS)] for size in range(POINTS)]


class _SearchStopped(Exception):
    """Raised by a search that has reached its node limit or its CPU deadline."""


def _trim(tables: List[Dict[int, Tuple[int, int]]]) -> None:
    """Empty as many tables as necessary, beginning with the first, so that the total size is within the limit."""
    size = sum([len(table) for table in tables])
    for table in tables:
        # The first tables are for the fewest plies left, so the search can restore their entries in the shortest time.
        if size <= _TABLE_LIMIT:
            break
        size -= len(table)
        table.clear()


def _make_quiet_points() -> Callable[[Tuple[_ExactGroup, ...], int, int], int]:
    """Return quiet_points() as a closure, because variables of a closure are faster than variables of a module."""
    near_low, near_high = _NEAR_LOW, _NEAR_HIGH

    def quiet_points(own_groups: Tuple[_ExactGroup, ...], empty: int, captures: int) -> int:
        """Return the points outside ``captures`` on which a new stone of the mover has a liberty."""
        points = (near_low[empty & 8191] | near_high[empty >> 13]) & empty
        if points | captures != empty:
            for near, _, _ in own_groups:
                liberties = near & empty
                if liberties & (liberties - 1):
                    points |= liberties
        return points & ~captures

    return quiet_points


def _make_last_two(groups_of: GroupCache, moves_of: _MoveCache) -> Callable[[int, int, int, int, int], int]:
    near_low, near_high, near_bit = _NEAR_LOW, _NEAR_HIGH, _NEAR_BIT
    passing, full = _PASSING, FULL

    def last_two(me: int, opp: int, ko: int, margin: int, goal: int) -> int:
        """Search a position with two plies left. From the result of each move, subtract the gain of the best reply."""
        # Find the points on which a stone captures.
        empty = full ^ (me | opp)
        captures = 0
        for near, _, _ in groups_of[opp]:
            liberties = near & empty
            if not liberties & (liberties - 1):
                captures |= liberties
        if not captures and margin + 1 < goal:
            return margin + 1
        # Find the legal points, and list the captures first.
        legal = (near_low[empty & 8191] | near_high[empty >> 13]) & empty | captures
        if legal != empty:
            for near, _, _ in groups_of[me]:
                liberties = near & empty
                if liberties & (liberties - 1):
                    legal |= liberties
        legal &= ~ko
        moves = moves_of[captures & legal] + moves_of[legal & ~captures] if captures else moves_of[legal]
        best = margin
        if margin >= goal:
            best = LEAST
            moves += passing
        for bit, _ in moves:
            result = margin
            opp_after, ko_after = opp, 0
            if bit:
                result += 1
                if bit & captures:
                    for near, size, group in groups_of[opp]:
                        if near & empty == bit:
                            opp_after ^= group
                            result += size
                    captured = opp ^ opp_after
                    if not captured & (captured - 1) and not near_bit[bit] & ~opp:
                        ko_after = captured
            if result >= goal:
                # The best reply is the stone that captures the most stones. If no stone captures, all legal stones are
                # equally good. If no stone is legal, the best reply is PASS.
                after = full ^ (me | bit | opp_after)
                in_atari: Dict[int, int] = {}
                for near, size, _ in groups_of[me | bit]:
                    liberties = near & after
                    if not liberties & (liberties - 1) and liberties != ko_after:
                        in_atari[liberties] = in_atari.get(liberties, 0) + size
                if in_atari:
                    result -= 1 + max(in_atari.values())
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


#: The type of a function that receives me, opp, the ko bit, the plies left, the margin, the goal, the node limit and
#: the CPU deadline, and returns a bound and the bit of a move.
_ExactSearch = Callable[[int, int, int, int, int, int, Optional[int], Optional[float]], Tuple[int, int]]


class ExactSolver:
    """A solver that keeps its table of proven bounds from search to search.

    The table and the caches together need less than 200 MB. The public attribute ``nodes`` is the number of positions
    that all searches of this solver have reached, not counting positions after the last ply.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self._hints: Dict[int, int] = {}
        self._search = self._make_search()

    def decide(
        self, position: Position, threshold: int, node_limit: Optional[int] = None, cpu_deadline: Optional[float] = None
    ) -> Answer:
        """Decide whether the position's value, from Black's point of view, is at least ``threshold``.

        The search stops after ``node_limit`` nodes, or when time.process_time() reaches ``cpu_deadline``. A limit that
        is None does not apply. If a limit stopped the search, the bounds of the Answer do not decide the question.
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
        """Return the position's exact value, or the bounds that were proven within the same limits as for decide()."""
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
        """Try all moves, and return the exact value from Black's point of view and a move that keeps this value."""
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
        counts = CountCache()
        moves_of = _MoveCache()
        groups_of = GroupCache()
        near_bit, bounds, full = _NEAR_BIT, _BOUNDS, FULL
        own_ranks, opp_ranks = _OWN_RANKS, _OPP_RANKS
        cached_groups = groups_of.get
        hints = self._hints
        # For positions with ``left`` plies left, tables[left] maps me | opp << 25 | ko bit << 50 to bounds (lo, hi).
        tables: List[Dict[int, Tuple[int, int]]] = [{} for _ in range(POINTS)]
        histories: List[Dict[int, float]] = [dict.fromkeys((0, *near_bit), 0.0) for _ in range(POINTS)]
        passing = _PASSING
        quiet_points, last_two = _make_quiet_points(), _make_last_two(groups_of, moves_of)
        no_bounds = (LEAST, MOST)
        rank_captured, rank_hint, history_most = _RANK_CAPTURED, _RANK_HINT, _RANK_HISTORY
        history_gain, history_loss = _HISTORY_GAIN, _HISTORY_LOSS
        nodes = next_poll = failed_bit = question_left = 0
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
            """Search a position with three plies left by last_two(), which is faster than computing the siege."""
            nonlocal nodes, failed_bit
            if nodes >= next_poll:
                poll()
            empty = full ^ (me | opp)
            own_groups = groups_of[me]
            captures = 0
            captured_at: Dict[int, int] = {}
            for near, _, group in groups_of[opp]:
                liberties = near & empty
                if not liberties & (liberties - 1):
                    captures |= liberties
                    captured_at[liberties] = captured_at.get(liberties, 0) | group
            moves = moves_of[captures & ~ko] + moves_of[quiet_points(own_groups, empty, captures) & ~ko]
            best, best_bit = margin, 0
            if margin >= goal:
                best = LEAST
                moves += passing
            for bit, _ in moves:
                nodes += 1
                me_after, opp_after, ko_after, margin_after = me | bit, opp, 0, margin
                if bit:
                    margin_after += 1
                    if bit & captures:
                        captured = captured_at[bit]
                        opp_after ^= captured
                        margin_after += counts[captured]
                        if not captured & (captured - 1) and not near_bit[bit] & ~opp:
                            ko_after = captured
                    if me_after not in groups_of:
                        groups_of.extend(own_groups, bit, me_after)
                bound = -last_two(opp_after, me_after, ko_after, -margin_after, 1 - goal)
                if bound >= goal:
                    # With three plies left, a hint is needed only at the root, where run() returns it as the best move.
                    if left == question_left:
                        hints[key] = bit
                    return bound
                if bound > best:
                    best, best_bit = bound, bit
            failed_bit = best_bit
            return best

        def search(me: int, opp: int, ko: int, key: int, left: int, margin: int, goal: int) -> int:
            """Search a position with four or more plies left, which has the key ``key`` in ``tables``."""
            nonlocal nodes, failed_bit
            if nodes >= next_poll:
                poll()
            uses_hints = left > _HINT_LEFT or left == question_left
            hint = hints.get(key, -1) if uses_hints else -1
            history = histories[left]
            table = tables[left - 1]
            # After the move, the opponent has ``their_plies`` plies and moves first; the mover has ``my_plies`` plies.
            my_plies, their_plies = (left - 1) >> 1, left >> 1
            their_extra_ply = their_plies - my_plies
            keeper_margin = goal + their_extra_ply
            empty = full ^ (me | opp)
            own_groups, opp_groups = groups_of[me], groups_of[opp]
            captures = 0
            captured_at: Dict[int, int] = {}
            for near, _, group in opp_groups:
                liberties = near & empty
                if not liberties & (liberties - 1):
                    captures |= liberties
                    captured_at[liberties] = captured_at.get(liberties, 0) | group
            best, best_bit = (margin, 0) if margin < goal else (LEAST, 0)
            to_search = []

            # Step 1. Judge the captures before the other moves, because most searches end with a capture.
            for quiet in (False, True):
                if quiet:
                    moves = moves_of[quiet_points(own_groups, empty, captures) & ~ko]
                    if margin >= goal:
                        moves += passing
                else:
                    moves = moves_of[captures & ~ko]
                for bit, rank in moves:
                    # Step 2. Make the move.
                    nodes += 1
                    me_after, opp_after, ko_after, margin_after = me | bit, opp, 0, margin
                    opp_groups_after = opp_groups
                    if bit:
                        margin_after += 1
                        if bit & captures:
                            captured = captured_at[bit]
                            opp_after ^= captured
                            opp_groups_after = groups_of[opp_after]
                            margin_after += counts[captured]
                            rank += rank_captured * counts[captured]
                            if not captured & (captured - 1) and not near_bit[bit] & ~opp:
                                ko_after = captured
                    after = full ^ (me_after | opp_after)

                    # Step 3. Look up the bounds after the move, which may answer the question or exclude the move.
                    key_after = opp_after | me_after << 25
                    if ko_after:
                        key_after |= ko_after << 50
                    entry = table.get(key_after)
                    if entry is not None:
                        low, high = entry
                        if -high >= goal:
                            if uses_hints:
                                hints[key] = bit
                            return -high
                        if -low < goal:
                            if -low > best:
                                best, best_bit = -low, bit
                            continue

                    # Step 4. Choose the keeper. If each further ply only adds a stone, the mover either reaches the
                    # goal or fails. Only the side that succeeds in this way can be a keeper whose bound decides the
                    # move. The groups of the other side influence only the rank.
                    mover_keeps = margin_after >= keeper_margin
                    if mover_keeps:
                        groups = cached_groups(me_after)
                        if groups is None:
                            groups = groups_of.extend(own_groups, bit, me_after)
                        ranks = own_ranks
                        keeper_plies, attacker_plies, attacker_extra_ply = my_plies, their_plies, their_extra_ply
                    else:
                        groups = opp_groups_after
                        ranks = opp_ranks
                        keeper_plies, attacker_plies, attacker_extra_ply = their_plies, my_plies, 1 - their_extra_ply

                    # Step 5. Count the keeper's standing groups and targets. The number ``standing_apart`` counts a
                    # standing group only if the group shares no liberty with an earlier standing group.
                    most_liberties = standing_apart = standing_liberties = target_stones = target_liberties = (
                        targets
                    ) = 0
                    smallest_target = POINTS
                    for near, size, _ in groups:
                        liberties = near & after
                        count = counts[liberties]
                        rank += ranks[size][count]
                        if count > attacker_plies:
                            if count > most_liberties:
                                most_liberties = count
                            if not standing_liberties & liberties:
                                standing_apart += 1
                            standing_liberties |= liberties
                        else:
                            target_liberties |= liberties
                            targets += 1
                            target_stones += size
                            if size < smallest_target:
                                smallest_target = size

                    # Step 6. Find the keeper's growth, and the number of stones that the keeper loses.
                    if standing_apart > 1:
                        growth = keeper_plies
                        # The opponent is the keeper and moves first, so its first fill needs a spare liberty already.
                        if not mover_keeps and most_liberties == attacker_plies + 1:
                            growth -= 1
                    elif standing_apart:
                        growth = most_liberties - attacker_plies - 1
                        if growth > keeper_plies:
                            growth = keeper_plies
                    else:
                        growth = 0
                    if target_stones:
                        if targets > 1:
                            if counts[target_liberties] > attacker_plies:
                                target_stones -= smallest_target
                        elif standing_apart == 1 and growth < keeper_plies:
                            spare = counts[target_liberties & ~standing_liberties] - attacker_extra_ply
                            if spare > keeper_plies - growth:
                                spare = keeper_plies - growth
                            if spare > 0:
                                target_stones = target_stones - spare if target_stones > spare else 0

                    # Step 7. Compute the bound of the siege, which may answer the question or exclude the move.
                    if mover_keeps:
                        bound = margin_after - their_plies + growth - target_stones
                        if bound >= goal:
                            if uses_hints:
                                hints[key] = bit
                            return bound
                        groups, ranks = opp_groups_after, opp_ranks
                    else:
                        bound = margin_after + my_plies - growth + target_stones
                        if bound < goal:
                            if bound > best:
                                best, best_bit = bound, bit
                            continue
                        groups = cached_groups(me_after)
                        if groups is None:
                            groups = groups_of.extend(own_groups, bit, me_after)
                        ranks = own_ranks

                    # Step 8. Complete the rank of the move, which is still open.
                    for near, size, _ in groups:
                        rank += ranks[size][counts[near & after]]
                    if bit == hint:
                        rank += rank_hint
                    to_search.append((rank + history[bit], bit, opp_after, me_after, ko_after, key_after, margin_after))

            # Step 9. Search the open moves in descending order of rank.
            to_search.sort(reverse=True)
            search_deeper = search if left > 4 else last_three
            other_goal = 1 - goal
            for _, bit, opp_after, me_after, ko_after, key_after, margin_after in to_search:
                # Step 10. Search the move, and store the answer. The bounds in the table are still the same as in step
                # 3, because only this loop writes entries with this number of plies left, and writes each entry once.
                low, high = table.get(key_after, no_bounds)
                bound = search_deeper(opp_after, me_after, ko_after, key_after, left - 1, -margin_after, other_goal)
                if bound < other_goal:
                    table[key_after] = bounds[low][bound]
                    if uses_hints:
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
            nonlocal next_poll, node_stop, cpu_stop, question_left
            question_left = left
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
