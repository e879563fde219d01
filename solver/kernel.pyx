# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The native search kernel.

Inside, a position is seen from the mover: ``me`` and ``opp`` are the mover's and the
opponent's stones, a value is stones me - opp at the end. The colours are symmetric but for
komi, and komi is the caller's threshold, so nothing below knows Black from White.

The transposition table lives in any writable buffer. It is an array of 64-byte lines of
eight entries; the line is chosen by the two boards alone, so a position and its siblings
with other plies left, ko or pass state share one line, and one cache miss fetches both the
exact entry and move hints from shorter games. An entry is one aligned 64-bit word, read and
written whole, so workers need no lock::

    bit  63 .. 32    31 .. 27  26 .. 22  21      20 .. 15  14 .. 9  8 .. 4  3 .. 0
         board tag   ko + 1    left      passed  lo + 32   hi + 32  move    work

The board hash is an invertible mix of the 50 board bits: its low bits choose the line, and the
tag holds bits 18 to 49. A table has at least 2**18 lines, so line and tag together give
back the boards: no two positions are ever confused. ``work`` is half the bit length of the
nodes spent; an entry that cost more is replaced later. An empty entry is 0.
"""

from cpython.buffer cimport PyBUF_WRITABLE, PyBUF_SIMPLE, Py_buffer, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from solver.answer import LEAST, MOST, Answer
from solver.position import GAME_PLIES, Position
from solver.symmetry import INVERSE, POINT_IMAGE, transform_mask

cdef extern from * nogil:
    """
    #define popcount(x) __builtin_popcount(x)
    #define lowest(x) __builtin_ctz(x)
    #define bit_length64(x) (64 - __builtin_clzll(x))
    #define prefetch(p) __builtin_prefetch(p)
    """
    int popcount(uint32_t x)
    int lowest(uint32_t x)
    int bit_length64(uint64_t x)
    void prefetch(const void *p)

ctypedef uint32_t u32
ctypedef uint64_t u64

cdef enum:
    POINTS = 25
    PASS = 25
    NO_MOVE = 26
    NO_KO = -1
    MAX_GROUPS = 14
    MAX_MOVES = 26
    LINE = 8                 # entries in a line
    TAG_SHIFT = 18
    LEAST_LINES = 1 << 18
    TABLE_LEFT = 4           # with fewer plies left, positions are not stored
    SCAN_LEFT = 7            # with fewer plies left, the table is not asked about all children first
    MOST_VALUE = 24
    OUT_OF_REACH = 0x3FFFFFF # more points than there are plies
    CHECK_NODES = 1 << 20    # how often signals and limits are looked at
    VERIFY_NODES = 100       # enough to see what the table or the static bounds tell
    MOST_KEPT = 4096         # results kept before the caller must fetch them
    BUSY_TAGS = 1 << 14
    BUSY_LEFT = 8            # with fewer plies left, a position is not worth sharing out
    LOOK_NODES = 1 << 14     # how often a worker looks at what the others have decided
    HINT_RANK = 1 << 28
    DEFERRED = 1 << 30
    HISTORY_LIMIT = 2048
    RANK_CENTRE = 368        # the ranks were found by random search for few nodes
    RANK_TAKEN = 1000
    RANK_DANGER = 1808
    RANK_THREAT = 400
    RANK_SHAKY = 144
    RANK_ME = 96
    HISTORY_SPREAD = 512     # of a seeded history's first values

cdef u32 FULL = (1 << POINTS) - 1
cdef u32 NOT_WEST = 0x1FFFFFF & ~0x108421
cdef u32 NOT_EAST = 0x1FFFFFF & ~0x1084210

cdef u32 NEIGHBOURS[POINTS]
cdef u32 LOW_IMAGES[1 << 13][8]
cdef u32 HIGH_IMAGES[1 << 12][8]
cdef uint8_t IMAGE_BACK[8][MAX_MOVES + 1]
cdef uint8_t IMAGE_OF[8][MAX_MOVES + 1]
cdef int CENTRALITY[POINTS]


cdef inline u32 neighbours(u32 mask) noexcept nogil:
    return ((mask << 5) & FULL) | (mask >> 5) | ((mask << 1) & NOT_WEST) | ((mask >> 1) & NOT_EAST)


def _fill_tables():
    for p in range(POINTS):
        NEIGHBOURS[p] = neighbours(1 << p)
        i, j = divmod(p, 5)
        CENTRALITY[p] = 4 - abs(i - 2) - abs(j - 2)
    for s in range(8):
        for p in range(POINTS + 1):
            IMAGE_OF[s][p] = POINT_IMAGE[s][p]
            IMAGE_BACK[s][p] = POINT_IMAGE[INVERSE[s]][p]
        IMAGE_OF[s][NO_MOVE] = NO_MOVE
        IMAGE_BACK[s][NO_MOVE] = NO_MOVE
        for half in range(1 << 13):
            LOW_IMAGES[half][s] = transform_mask(s, half)
        for half in range(1 << 12):
            HIGH_IMAGES[half][s] = transform_mask(s, half << 13)

_fill_tables()


# --- groups ---------------------------------------------------------------------------------

cdef struct Side:
    u32 stones
    int groups
    u32 group[MAX_GROUPS]    # the stones of each group
    u32 around[MAX_GROUPS]   # the points next to each group, whatever stands there

cdef struct Node:
    Side me
    Side opp
    int ko                   # the point the mover may not play, or NO_KO


cdef void fill_side(Side *side, u32 stones) noexcept nogil:
    cdef u32 rest = stones, group, grown
    side.stones = stones
    side.groups = 0
    while rest:
        group = rest & (~rest + 1)
        while True:
            grown = (group | neighbours(group)) & stones
            if grown == group:
                break
            group = grown
        side.group[side.groups] = group
        side.around[side.groups] = neighbours(group)
        side.groups += 1
        rest ^= group


cdef inline u32 captures(const Side *opp, u32 stone, u32 empty) noexcept nogil:
    """The opponent's stones taken by a stone of the mover on an empty point."""
    cdef u32 taken = 0
    cdef int i
    for i in range(opp.groups):
        if opp.around[i] & empty == stone:
            taken |= opp.group[i]
    return taken


cdef inline void play(Node *child, const Node *node, int point, u32 taken) noexcept nogil:
    """Make ``child`` the position after a legal stone that takes ``taken``."""
    cdef u32 stone = (<u32>1) << point, near = NEIGHBOURS[point]
    cdef u32 merged = stone, around = near
    cdef int i, n = 0
    # The mover becomes the child's opponent.
    child.opp.stones = node.me.stones | stone
    for i in range(node.me.groups):
        if node.me.group[i] & near:
            merged |= node.me.group[i]
            around |= node.me.around[i]
        else:
            child.opp.group[n] = node.me.group[i]
            child.opp.around[n] = node.me.around[i]
            n += 1
    child.opp.group[n] = merged
    child.opp.around[n] = around
    child.opp.groups = n + 1
    n = 0
    child.me.stones = node.opp.stones ^ taken
    for i in range(node.opp.groups):
        if not node.opp.group[i] & taken:
            child.me.group[n] = node.opp.group[i]
            child.me.around[n] = node.opp.around[i]
            n += 1
    child.me.groups = n
    child.ko = NO_KO
    if taken and taken & (taken - 1) == 0 and merged == stone and near & ~node.opp.stones == 0:
        child.ko = lowest(taken)


cdef inline u32 legal_points(const Node *node, u32 empty) noexcept nogil:
    """The points the mover may play."""
    cdef u32 legal = empty & neighbours(empty), liberties
    cdef u32 tight = empty & ~legal
    cdef int i
    if tight:
        for i in range(node.me.groups):
            liberties = node.me.around[i] & empty
            if liberties & (liberties - 1):
                legal |= liberties
        for i in range(node.opp.groups):
            liberties = node.opp.around[i] & empty
            if liberties & (liberties - 1) == 0:
                legal |= liberties
    if node.ko >= 0:
        legal &= ~((<u32>1) << node.ko)
    return legal


# --- static bounds --------------------------------------------------------------------------
#
# Any fixed way for one side to play bounds what the other can reach. The bound below lets the
# builder (who wants to keep stones) do no more than pass, fill liberties it can spare, and
# save one group; the attacker has `plies` plies to come, the builder `replies`. Then:
#
# - Taking a group costs the attacker a ply for each of its liberties, taking several a ply for
#   each point of their union; a group with two one-point eyes of its own is never taken.
# - A group with more liberties than the attacker has plies stands for good. Its liberties can be
#   filled while more than the attacker's remaining plies are left: L - plies - 1 stones for
#   certain, groups that share liberties counting them once.
# - When several groups stand, the attacker cannot starve them all. Let the builder fill with its
#   last f plies; when the attacker has r plies left after a fill, a group with r + 2
#   liberties is needed for it, and by the pigeonhole principle there is one if the groups
#   together have more than r + 1 each. (Passing before that does not end the game to
#   the builder's harm: an attacker who passes too has given up f + 1 stones or more.)
# - A group in reach can be saved by the builder's first reply at a liberty that gives it more
#   liberties than the attacker then has plies; if the attacker moves first, two such
#   liberties are needed, and one more liberty each for the attacker's move there.

cdef struct Builder:
    u32 liberties[MAX_GROUPS]    # of each group in the attacker's reach
    int stones[MAX_GROUPS]
    int targets


cdef bint has_two_eyes(u32 group, u32 eyes) noexcept nogil:
    """Whether two of the one-point eyes are the group's alone."""
    cdef int found = 0
    while eyes:
        if NEIGHBOURS[lowest(eyes)] & ~group == 0:
            found += 1
        eyes &= eyes - 1
    return found > 1


cdef int dearest(const Builder *builder, int first, u32 filled, int plies) noexcept nogil:
    """The most stones taken from the targets, from ``first`` on, by filling at most ``plies`` points."""
    cdef int best = 0, here, i
    for i in range(first, builder.targets):
        if popcount(filled | builder.liberties[i]) <= plies:
            here = builder.stones[i] + dearest(builder, i + 1, filled | builder.liberties[i], plies)
            if here > best:
                best = here
    return best


cdef inline int certain_fills(const Side *side, u32 empty, int plies, int replies, bint attacker_last) noexcept nogil:
    """How many stones the standing groups of ``side`` can add to themselves for certain."""
    cdef u32 liberties, counted = 0, shared = 0
    cdef int i, count, step, fills = 0, standing = 0, spare
    for i in range(side.groups):
        liberties = side.around[i] & empty
        if popcount(liberties) > plies:
            standing += 1
            shared |= liberties
            count = popcount(liberties & ~counted) - plies - 1
            if count > 0:
                fills += count
                counted |= liberties
    spare = popcount(shared) - plies
    while standing and fills < replies:
        # One more? Then the i-th fill from now leaves the attacker step - 1 plies.
        count = fills + 1
        for i in range(count):
            step = attacker_last + count - i
            if spare - i + step - 1 <= step * standing:
                return fills
        fills = count
    return fills if fills < replies else replies


cdef int most_saved(Builder *builder, u32 empty, int plies, bint attacker_first) noexcept nogil:
    """The least loss, negated and one stone added, if the first reply saves the best target; -99 if it saves none."""
    cdef u32 liberties, liberty, all_liberties
    cdef int i, ways, kept, best = -99
    for i in range(builder.targets):
        liberties = all_liberties = builder.liberties[i]
        ways = 0
        while liberties:
            liberty = liberties & (~liberties + 1)
            liberties ^= liberty
            ways += popcount((all_liberties | NEIGHBOURS[lowest(liberty)] & empty) & ~liberty) > plies
        if ways > attacker_first:
            builder.liberties[i] = OUT_OF_REACH
            kept = 1 - dearest(builder, 0, 0, plies)
            builder.liberties[i] = all_liberties
            if kept > best:
                best = kept
    return best


cdef int most(
    const Side *attacker, const Side *side, u32 empty, int plies, int replies, bint first, bint last, int goal
) noexcept nogil:
    """The most, stones attacker - side, that the attacker can reach; as sharp as telling it from ``goal`` needs.

    first, last: whether the attacker has the first, the last of the plies left.
    """
    cdef Builder builder
    cdef u32 liberties, eyes = empty & ~neighbours(empty | attacker.stones), reach = 0
    cdef int i, lost = 0, safe, saved, placed, bound
    builder.targets = 0
    for i in range(side.groups):
        liberties = side.around[i] & empty
        if popcount(liberties) <= plies and not (liberties & eyes and has_two_eyes(side.group[i], liberties & eyes)):
            builder.liberties[builder.targets] = liberties
            builder.stones[builder.targets] = popcount(side.group[i])
            builder.targets += 1
            lost += popcount(side.group[i])
            reach |= liberties
    if popcount(reach) > plies:
        lost = dearest(&builder, 0, 0, plies)
    placed = popcount(attacker.stones) + plies
    safe = popcount(side.stones) - lost + certain_fills(side, empty, plies, replies, last)
    # A side that stands keeps a liberty: 24 stones are the most on the board.
    bound = (placed if placed < 24 - safe else 24 - safe) - safe
    if bound >= goal and replies and builder.targets:
        saved = popcount(side.stones) + most_saved(&builder, empty, plies, first)
        if saved > safe:
            safe = saved
            bound = (placed if placed < 24 - safe else 24 - safe) - safe
    return bound


# --- transposition table --------------------------------------------------------------------

cdef u64 BOARD_BITS = ((<u64>1) << 50) - 1


cdef inline u64 mix(u64 x) noexcept nogil:
    """An invertible mix of 50 bits: each step is a bijection."""
    x ^= x >> 27
    x = x * 0x3C79AC492BA7B653ULL & BOARD_BITS
    x ^= x >> 25
    x = x * 0x1C69B3F74AC4AE35ULL & BOARD_BITS
    x ^= x >> 28
    return x

cdef struct Slot:
    u64 *line
    u64 id                   # the upper 43 bits of an entry: tag, ko, left, passed
    int symmetry             # what takes the position to its slot's orientation

cdef struct Kept:
    u32 me
    u32 opp
    int ko
    int left
    bint passed
    int lo
    int hi
    int move
    u64 nodes

cdef struct Search:
    u64 *table
    u64 last_line
    uint32_t *busy           # tags of the positions that workers are at, or NULL
    u64 nodes
    u64 node_limit           # 0: none
    u64 next_check
    bint stopped
    PyObject *interrupt      # what a signal raised, until the search has unwound
    const Slot *open[POINTS] # by plies left, BUSY_LEFT or more: where this worker is, or NULL
    int goals[POINTS]        # what is asked there
    int overtaken            # plies left of the one of them that another worker has decided, until unwound; or 0
    int verdict              # the bound that decides it
    int32_t history[POINTS][POINTS]   # by plies left, then by point
    u64 keep_nodes           # results that cost so many nodes are kept for the caller; 0: none
    int kept_count
    Kept kept[MOST_KEPT]


cdef inline void canonical(u32 *me, u32 *opp, int *ko, int *symmetry) noexcept nogil:
    cdef u64 best = ~<u64>0
    cdef u64 images[8]
    cdef const u32 *a = LOW_IMAGES[me[0] & 0x1FFF]
    cdef const u32 *b = HIGH_IMAGES[me[0] >> 13]
    cdef const u32 *c = LOW_IMAGES[opp[0] & 0x1FFF]
    cdef const u32 *d = HIGH_IMAGES[opp[0] >> 13]
    cdef int s, k
    for s in range(8):
        images[s] = <u64>(a[s] | b[s]) << 25 | (c[s] | d[s])
    for s in range(8):
        if images[s] < best:
            best = images[s]
            symmetry[0] = s
    if ko[0] >= 0:
        # Boards that equal their own image: the lowest image of the ko point decides.
        k = ko[0]
        ko[0] = 31
        for s in range(8):
            if images[s] == best and IMAGE_OF[s][k] < ko[0]:
                ko[0] = IMAGE_OF[s][k]
                symmetry[0] = s
    me[0] = <u32>(best >> 25)
    opp[0] = <u32>(best & FULL)


cdef inline Slot locate(const Search *search, u32 me, u32 opp, int ko, int left, bint passed) noexcept nogil:
    cdef Slot slot
    cdef u64 hashed
    canonical(&me, &opp, &ko, &slot.symmetry)
    hashed = mix(<u64>me << 25 | opp)
    slot.line = search.table + (hashed & search.last_line) * LINE
    slot.id = (hashed >> TAG_SHIFT) << 32 | <u64>(ko + 1) << 27 | <u64>left << 22 | <u64>passed << 21
    return slot


cdef inline u64 probe(const Slot *slot, int *hint) noexcept nogil:
    """The entry of the slot's position or 0; ``hint``: else a move stored for the same boards."""
    cdef u64 entry, tag = slot.id >> 32
    cdef int i, left, best_left = -1
    for i in range(LINE):
        entry = slot.line[i]
        if entry >> 32 == tag:
            if entry >> 21 == slot.id >> 21:
                return entry
            left = <int>(entry >> 22) & 31
            if hint and (left ^ <int>(slot.id >> 22)) & 1 == 0 and left > best_left and (entry >> 4 & 31) != NO_MOVE:
                best_left = left
                hint[0] = IMAGE_BACK[slot.symmetry][entry >> 4 & 31]
    return 0


cdef inline int entry_lo(u64 entry) noexcept nogil:
    return <int>(entry >> 15 & 63) - 32


cdef inline int entry_hi(u64 entry) noexcept nogil:
    return <int>(entry >> 9 & 63) - 32


cdef inline void store(const Slot *slot, int lo, int hi, int move, u64 nodes) noexcept nogil:
    cdef u64 entry, work = (bit_length64(nodes | 1) >> 1) & 15
    cdef u64 cheapest = ~<u64>0
    cdef int i, victim = 0
    for i in range(LINE):
        entry = slot.line[i]
        if entry >> 21 == slot.id >> 21:
            # Another worker may have stored it meanwhile: keep the sharper of each bound.
            if entry_lo(entry) > lo:
                lo = entry_lo(entry)
            if entry_hi(entry) < hi:
                hi = entry_hi(entry)
            if entry & 15 > work:
                work = entry & 15
            victim = i
            break
        if entry & 15 < cheapest:
            cheapest = entry & 15 if entry else 0
            victim = i
            if not entry:
                break
    slot.line[victim] = (
        slot.id | <u64>(lo + 32) << 15 | <u64>(hi + 32) << 9 | <u64>IMAGE_OF[slot.symmetry][move] << 4 | work
    )


# --- search ---------------------------------------------------------------------------------

cdef bint out_of_budget(Search *search) noexcept nogil:
    """Whether to stop: the node limit is reached, Python has a signal to raise, or others were faster."""
    if search.node_limit and search.nodes >= search.node_limit:
        search.stopped = True
        return True
    if search.busy and is_overtaken(search):
        return True
    with gil:
        try:
            PyErr_CheckSignals()
        except BaseException as error:
            # Raised when the search has unwound.
            search.stopped = True
            search.interrupt = <PyObject *>error
            Py_INCREF(error)
            return True
    set_next_check(search)
    return False


cdef inline void set_next_check(Search *search) noexcept nogil:
    search.next_check = search.nodes + (LOOK_NODES if search.busy else CHECK_NODES)
    if search.node_limit and search.node_limit < search.next_check:
        search.next_check = search.node_limit


cdef bint is_overtaken(Search *search) noexcept nogil:
    """Whether another worker has decided a position that this one is inside of: then stop, back to the first such."""
    cdef int left
    cdef u64 entry
    for left in range(POINTS - 1, BUSY_LEFT - 1, -1):
        entry = probe(search.open[left], NULL) if search.open[left] != NULL else 0
        if entry and (entry_lo(entry) >= search.goals[left] or entry_hi(entry) < search.goals[left]):
            search.verdict = entry_lo(entry) if entry_lo(entry) >= search.goals[left] else entry_hi(entry)
            search.overtaken = left
            search.stopped = True
            return True
    return False


cdef inline u32 liberties_of(const Side *side, u32 empty, int count) noexcept nogil:
    """The liberties of the groups that have exactly ``count``."""
    cdef u32 liberties, found = 0
    cdef int i
    for i in range(side.groups):
        liberties = side.around[i] & empty
        if popcount(liberties) == count:
            found |= liberties
    return found


cdef inline int last_ply(const Node *node, u32 empty) noexcept nogil:
    """What the last ply of the game adds to the mover's margin: 0 for PASS, else 1 + the captures."""
    cdef u32 legal = legal_points(node, empty), points
    cdef int taken, best = 0
    if not legal:
        return 0
    points = liberties_of(&node.opp, empty, 1) & legal
    while points:
        taken = popcount(captures(&node.opp, points & (~points + 1), empty))
        if taken > best:
            best = taken
        points &= points - 1
    return best + 1


cdef int last_two(const Node *node, u32 empty, int goal) noexcept nogil:
    """The mover's value, or a bound of at least ``goal``, with two plies left and no PASS before."""
    cdef u32 atari = liberties_of(&node.opp, empty, 1), urgent = atari | liberties_of(&node.me, empty, 1)
    cdef u32 legal = legal_points(node, empty), points, stone, taken
    cdef int margin = popcount(node.me.stones) - popcount(node.opp.stones)
    cdef int best, result
    cdef Node child
    child.me = node.opp
    child.opp = node.me
    child.ko = NO_KO
    best = margin - last_ply(&child, empty)
    points = legal & urgent
    legal ^= points
    while best < goal and (points or legal):
        if not points:
            points = legal
            legal = 0
        stone = points & (~points + 1)
        points ^= stone
        taken = captures(&node.opp, stone, empty) if stone & atari else 0
        play(&child, node, lowest(stone), taken)
        result = margin + 1 + popcount(taken) - last_ply(&child, empty ^ stone | taken)
        if result > best:
            best = result
    return best


cdef struct Moves:
    int count
    int move[MAX_MOVES]
    int rank[MAX_MOVES]
    u32 taken[MAX_MOVES]     # the stones the move takes
    Slot slot[MAX_MOVES]     # where the table keeps the position after it


cdef inline void drop(Moves *moves, int i) noexcept nogil:
    moves.count -= 1
    moves.move[i] = moves.move[moves.count]
    moves.rank[i] = moves.rank[moves.count]
    moves.taken[i] = moves.taken[moves.count]
    moves.slot[i] = moves.slot[moves.count]


cdef inline int next_move(const Moves *moves) noexcept nogil:
    cdef int i, best = 0
    for i in range(1, moves.count):
        if moves.rank[i] > moves.rank[best]:
            best = i
    return best


cdef void rank_moves(Moves *moves, const Search *search, const Node *node, u32 empty, int left, int hint) noexcept nogil:
    """List the legal moves with their ranks; PASS comes last but for a hint."""
    cdef u32 points = legal_points(node, empty), stone, taken, near
    cdef u32 atari = liberties_of(&node.opp, empty, 1), threat = liberties_of(&node.opp, empty, 2)
    cdef u32 danger = liberties_of(&node.me, empty, 1), shaky = liberties_of(&node.me, empty, 2)
    cdef const int32_t *history = search.history[left]
    cdef int point, rank, n = 0
    while points:
        point = lowest(points)
        stone = (<u32>1) << point
        points ^= stone
        near = NEIGHBOURS[point]
        taken = captures(&node.opp, stone, empty) if stone & atari else 0
        rank = (history[point] >> 1) + CENTRALITY[point] * RANK_CENTRE
        rank += popcount(taken) * RANK_TAKEN
        rank += (stone & danger != 0) * RANK_DANGER + (stone & threat != 0) * RANK_THREAT
        rank += (stone & shaky != 0) * RANK_SHAKY
        rank += popcount(near & node.me.stones) * RANK_ME
        moves.move[n] = point
        moves.taken[n] = taken
        moves.rank[n] = HINT_RANK if point == hint else rank
        n += 1
    moves.move[n] = PASS
    moves.taken[n] = 0
    moves.rank[n] = HINT_RANK if hint == PASS else -HINT_RANK
    moves.count = n + 1


cdef inline void reward(Search *search, int left, int move) noexcept nogil:
    """Remember a move that decided, for the ranks of its point with as many plies left."""
    cdef int i
    if move != PASS:
        search.history[left][move] += left
        if search.history[left][move] > HISTORY_LIMIT:
            for i in range(POINTS):
                search.history[left][i] >>= 1


cdef inline void keep(
    Search *search, const Node *node, int left, bint passed, int lo, int hi, int move, u64 nodes
) noexcept nogil:
    """Put a dear result aside for the caller; stop when there is no room for the next."""
    cdef Kept *kept
    if search.kept_count == MOST_KEPT:
        search.stopped = True
        return
    kept = &search.kept[search.kept_count]
    kept.me = node.me.stones
    kept.opp = node.opp.stones
    kept.ko = node.ko
    kept.left = left
    kept.passed = passed
    kept.lo = lo
    kept.hi = hi
    kept.move = move
    kept.nodes = nodes
    search.kept_count += 1
    if search.kept_count == MOST_KEPT:
        search.stopped = True


cdef inline uint32_t *busy_place(const Search *search, const Slot *slot) noexcept nogil:
    return search.busy + ((slot.id >> 21) * 0x9E3779B97F4A7C15ULL >> 50 & (BUSY_TAGS - 1))


cdef inline uint32_t busy_tag(const Slot *slot) noexcept nogil:
    return <uint32_t>(slot.id >> 21) | 1


cdef inline void locate_child(Slot *slot, const Search *search, const Node *node, int move, u32 taken, int left) noexcept nogil:
    cdef u32 stone
    cdef int ko = NO_KO
    if move == PASS:
        slot[0] = locate(search, node.opp.stones, node.me.stones, NO_KO, left - 1, True)
        return
    stone = (<u32>1) << move
    if taken and taken & (taken - 1) == 0 and NEIGHBOURS[move] & ~node.opp.stones == 0:
        ko = lowest(taken)
    slot[0] = locate(search, node.opp.stones ^ taken, node.me.stones | stone, ko, left - 1, False)


cdef int decide(Search *search, const Node *node, int left, bint passed, int goal) noexcept nogil:
    """Whether the mover's value reaches ``goal``, as a bound: r >= goal means value >= r, r < goal means value <= r.

    ``left`` is at least 1; ``passed``: a PASS now ends the game. When search.stopped is set, the
    result means nothing.
    """
    cdef u32 empty = FULL & ~(node.me.stones | node.opp.stones)
    cdef int margin = popcount(node.me.stones) - popcount(node.opp.stones)
    cdef int mine = (left + 1) >> 1, theirs = left >> 1, odd = left & 1
    cdef int lo, hi, best = -99, best_move = NO_MOVE, stored_move = NO_MOVE, hint = NO_MOVE, i, result
    cdef u64 entry, nodes, nodes_before = search.nodes
    cdef bint first_tried = False
    cdef uint32_t *place = NULL
    cdef Slot slot
    cdef Moves moves
    cdef Node child

    search.nodes += 1
    if passed and margin >= goal:
        return margin
    if left == 1:
        return margin + last_ply(node, empty)
    hi = most(&node.me, &node.opp, empty, mine, theirs, True, odd, goal)
    if hi < goal:
        return hi
    if left >= TABLE_LEFT:
        slot = locate(search, node.me.stones, node.opp.stones, node.ko, left, passed)
        prefetch(slot.line)
    lo = -most(&node.opp, &node.me, empty, theirs, mine, False, not odd, 1 - goal)
    if lo >= goal:
        return lo
    if left == 2 and not passed:
        return last_two(node, empty, goal)
    if search.nodes >= search.next_check and out_of_budget(search):
        return goal

    if left >= TABLE_LEFT:
        entry = probe(&slot, &hint)
        if entry:
            if entry_lo(entry) > lo:
                lo = entry_lo(entry)
                if lo >= goal:
                    return lo
            if entry_hi(entry) < hi:
                hi = entry_hi(entry)
                if hi < goal:
                    return hi
            hint = stored_move = IMAGE_BACK[slot.symmetry][entry >> 4 & 31]

    rank_moves(&moves, search, node, empty, left, hint)
    if margin < goal:
        # PASS falls short: it ends the game here, or the reply that ends it is a PASS.
        moves.count -= 1
        best = margin
        best_move = PASS

    # Ask the table about every child before searching any (enhanced transposition cut-off).
    if left >= SCAN_LEFT:
        for i in range(moves.count):
            locate_child(&moves.slot[i], search, node, moves.move[i], moves.taken[i], left)
            prefetch(moves.slot[i].line)
        i = 0
        while i < moves.count:
            entry = probe(&moves.slot[i], NULL)
            if entry and -entry_hi(entry) >= goal:
                store(&slot, -entry_hi(entry), hi, moves.move[i], 1)
                return -entry_hi(entry)
            if entry and -entry_lo(entry) < goal:
                if -entry_lo(entry) > best:
                    best = -entry_lo(entry)
                    best_move = moves.move[i]
                drop(&moves, i)
            else:
                i += 1

    # Several workers on one table: leave for later what another is at (simplified ABDADA: Weill
    # 1996, Kerrigan), and mark what this one is at.
    if search.busy and left >= BUSY_LEFT:
        place = busy_place(search, &slot)
        place[0] = busy_tag(&slot)
        search.open[left] = &slot
        search.goals[left] = goal
    while moves.count:
        i = next_move(&moves)
        if (
            search.busy and left > BUSY_LEFT and first_tried and moves.rank[i] > -2 * HINT_RANK
            and busy_place(search, &moves.slot[i])[0] == busy_tag(&moves.slot[i])
        ):
            moves.rank[i] -= DEFERRED
            continue
        first_tried = True
        if moves.move[i] == PASS:
            child.me = node.opp
            child.opp = node.me
            child.ko = NO_KO
        else:
            play(&child, node, moves.move[i], moves.taken[i])
        result = -decide(search, &child, left - 1, moves.move[i] == PASS, 1 - goal)
        if search.stopped:
            break
        if result > best:
            best = result
            best_move = moves.move[i]
            if best >= goal:
                reward(search, left, best_move)
                break
        drop(&moves, i)

    if search.busy and left >= BUSY_LEFT:
        search.open[left] = NULL
        if place[0] == busy_tag(&slot):
            place[0] = 0
    if search.stopped:
        if search.overtaken != left:
            return goal
        search.stopped = False
        search.overtaken = 0
        set_next_check(search)
        return search.verdict

    nodes = search.nodes - nodes_before
    if best >= goal:
        lo = best
        if search.keep_nodes and nodes >= search.keep_nodes:
            keep(search, node, left, passed, lo, MOST_VALUE, best_move, nodes)
    else:
        if best < hi:
            hi = best
        if search.keep_nodes and nodes >= search.keep_nodes:
            keep(search, node, left, passed, -MOST_VALUE, hi, best_move, nodes)
        # The move that kept a lower goal says more than the least bad one here.
        if stored_move != NO_MOVE:
            best_move = stored_move
    if left >= TABLE_LEFT:
        store(&slot, lo, hi, best_move, nodes)
    return lo if best >= goal else hi


cdef u64 count_leaves(const Node *node, int left, bint passed, int depth, bint count_pass) noexcept nogil:
    cdef u32 empty = FULL & ~(node.me.stones | node.opp.stones)
    cdef u32 legal, stone, atari
    cdef u64 leaves = 0
    cdef Node child
    if left == 0:
        return 0
    legal = legal_points(node, empty)
    if depth == 1:
        return popcount(legal) + count_pass
    atari = liberties_of(&node.opp, empty, 1)
    while legal:
        stone = legal & (~legal + 1)
        legal ^= stone
        play(&child, node, lowest(stone), captures(&node.opp, stone, empty) if stone & atari else 0)
        leaves += count_leaves(&child, left - 1, False, depth - 1, count_pass)
    if count_pass and not passed:
        child.me = node.opp
        child.opp = node.me
        child.ko = NO_KO
        leaves += count_leaves(&child, left - 1, True, depth - 1, count_pass)
    return leaves


# --- what Python sees -----------------------------------------------------------------------

BUSY_BYTES = 4 * BUSY_TAGS


cdef object _kept_pair(const Kept *kept):
    black = kept.left % 2 == 0
    stones = (kept.me, kept.opp) if black else (kept.opp, kept.me)
    ply = GAME_PLIES - kept.left
    ko = None if kept.ko < 0 else kept.ko
    # On the first ply a PASS ends the game though none came before.
    position = Position(*stones, ko, ply, bool(kept.passed) and ply > 0)
    lo, hi = kept.lo, kept.hi
    if not black:
        lo, hi = -hi, -lo
    return position, Answer(lo, hi, None if kept.move == NO_MOVE else kept.move, kept.nodes)


cdef int fill_node(Node *node, position) except -1:
    me, opp = (position.black, position.white) if position.black_to_move else (position.white, position.black)
    fill_side(&node.me, me)
    fill_side(&node.opp, opp)
    node.ko = NO_KO if position.ko is None else position.ko
    return 0


def perft(position, int depth, *, bint count_pass=False):
    """Count the sequences of ``depth`` plies (1 or more) from a position.

    A PASS answered by a PASS ends a sequence early, and so does the ply limit; such sequences
    count only when they end at ``depth``. The PASS that ends a game on its first ply is
    an ordinary PASS here, as in public perft figures.
    """
    cdef Node node
    cdef u64 leaves
    cdef int left = position.left
    cdef bint passed = position.passed
    if depth < 1:
        raise ValueError("depth must be at least 1")
    fill_node(&node, position)
    with nogil:
        leaves = count_leaves(&node, left, passed, depth, count_pass)
    return leaves


cdef class Kernel:
    """An exact solver on a transposition table that may be shared.

    table: any writable buffer whose size in bytes is a power of two, 16 MiB or more; zeroed
        bytes are an empty table. Kernels in any number of threads and processes may share one.
    busy: a writable buffer of BUSY_BYTES zeroed bytes, shared by kernels that work on the same
        question on the same table at the same time, so that they share it out.
    keep_nodes: put results that cost at least so many nodes aside for take_kept().
    seed: another one, another order of moves and so another tree; 0 is the plain order.
    Public attribute ``nodes``: positions searched since the kernel was made. A node is a
    position that the search enters: its static bounds are tried, then the table, then its moves.
    For a kernel alone on its table, the count depends only on the questions asked so far.
    Raises ValueError for a buffer of another size.
    """

    cdef Search search
    cdef Py_buffer table_view
    cdef Py_buffer busy_view
    cdef bint has_table
    cdef bint has_busy

    def __cinit__(self, table, *, busy=None, keep_nodes=None, u64 seed=0):
        cdef int left, point
        memset(&self.search, 0, sizeof(Search))
        self.has_table = self.has_busy = False
        PyObject_GetBuffer(table, &self.table_view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        self.has_table = True
        cdef u64 lines = <u64>self.table_view.len >> 6
        if self.table_view.len & (self.table_view.len - 1) or lines < LEAST_LINES:
            raise ValueError(f"a table has a power of two of bytes, 16 MiB or more; not {self.table_view.len}")
        self.search.table = <u64 *>self.table_view.buf
        self.search.last_line = lines - 1
        if busy is not None:
            PyObject_GetBuffer(busy, &self.busy_view, PyBUF_SIMPLE | PyBUF_WRITABLE)
            self.has_busy = True
            if self.busy_view.len != BUSY_BYTES:
                raise ValueError(f"a busy buffer has {BUSY_BYTES} bytes, not {self.busy_view.len}")
            self.search.busy = <uint32_t *>self.busy_view.buf
        self.search.keep_nodes = keep_nodes or 0
        if seed:
            for left in range(POINTS):
                for point in range(POINTS):
                    self.search.history[left][point] = mix(mix(seed) + left * POINTS + point) % HISTORY_SPREAD

    def __dealloc__(self):
        if self.has_table:
            PyBuffer_Release(&self.table_view)
        if self.has_busy:
            PyBuffer_Release(&self.busy_view)

    @property
    def nodes(self):
        return self.search.nodes

    def take_kept(self):
        """Return the dear results since the last call: (position, Answer) pairs, one-sided bounds.

        A search stops, as at its node limit, when too many wait to be fetched.
        """
        kept = [_kept_pair(&self.search.kept[i]) for i in range(self.search.kept_count)]
        self.search.kept_count = 0
        return kept

    def teach(self, position, answer):
        """Put proven bounds and a move into the table, as if searched with so many nodes."""
        cdef Node node
        cdef Slot slot
        cdef int lo = answer.lo, hi = answer.hi, move = NO_MOVE if answer.best is None else answer.best
        if position.left < TABLE_LEFT:
            return
        fill_node(&node, position)
        slot = locate(&self.search, node.me.stones, node.opp.stones, node.ko, position.left, position.pass_ends)
        if position.black_to_move:
            store(&slot, lo, hi, move, answer.nodes)
        else:
            store(&slot, -hi, -lo, move, answer.nodes)

    def decide(self, position, int threshold, *, node_limit=None):
        """Decide whether the position's value is at least ``threshold``, and return an Answer.

        node_limit: stop after about so many nodes; then the Answer may leave the question open.
        """
        if position.is_over:
            return Answer(position.margin, position.margin, None, 0)
        black = position.black_to_move
        before = self.search.nodes
        lo, hi = self._bounds(position, threshold, node_limit)
        best = self._stored(position)[2]
        decided = lo >= threshold if black else hi < threshold
        # What is decided has a move that keeps it; another bound may have one in the table.
        candidates = self._candidates(position, best) if decided else [] if best is None else [best]
        limit = None
        if node_limit is not None or not decided:
            limit = max((node_limit or 0) - (self.search.nodes - before), VERIFY_NODES)
        for move in candidates:
            if self._keeps(position, move, lo, hi, limit):
                best = move
                break
        else:
            # A bound on the mover's side that no move is known to keep is not worth reporting.
            lo, hi = (LEAST, hi) if black else (lo, MOST)
            best = position.legal_moves()[0] if best is None else best
        return Answer(lo, hi, best, self.search.nodes - before)

    def _candidates(self, position, best):
        """Return the moves to look at for one that keeps a bound, the likely ones first."""
        moves = position.legal_moves()
        if position.pass_ends:
            moves.insert(0, PASS)
        return moves if best is None else [best, *moves]

    def value(self, position, *, node_limit=None):
        """Find the position's exact value, and return an Answer; node_limit as in decide()."""
        before = self.search.nodes
        lo, hi, best = LEAST, MOST, None
        guess = min(max(position.margin, LEAST + 1), MOST)
        while lo < hi:
            rest = None if node_limit is None else max(node_limit - (self.search.nodes - before), 1)
            answer = self.decide(position, guess, node_limit=rest)
            if best is None or (answer.lo > lo if position.black_to_move else answer.hi < hi):
                best = answer.best
            lo, hi = max(lo, answer.lo), min(hi, answer.hi)
            if answer.at_least(guess) is None:
                break
            guess = lo + 1 if answer.at_least(guess) else hi
        return Answer(lo, hi, best, self.search.nodes - before)

    def _keeps(self, position, int move, int lo, int hi, node_limit):
        """Whether a move is seen, within the node limit, to keep the mover's side of the bounds."""
        child = position.play(move)
        threshold = lo if position.black_to_move else hi + 1
        if child.is_over:
            child_lo = child_hi = child.margin
        else:
            child_lo, child_hi = self._bounds(child, threshold, node_limit)
        return child_lo >= lo if position.black_to_move else child_hi <= hi

    cdef _bounds(self, position, int threshold, node_limit):
        """Search a position that is not over, and return proven bounds from Black's side."""
        cdef Node node
        cdef int left = position.left, result
        cdef bint passed = position.pass_ends, black = position.black_to_move
        cdef int goal = threshold if black else 1 - threshold
        fill_node(&node, position)
        self.search.node_limit = 0 if node_limit is None else self.search.nodes + <u64>node_limit
        set_next_check(&self.search)
        self.search.stopped = False
        with nogil:
            result = decide(&self.search, &node, left, passed, goal)
        if self.search.interrupt != NULL:
            error = <object>self.search.interrupt
            self.search.interrupt = NULL
            Py_DECREF(error)
            raise error
        lo, hi, _ = self._stored(position)
        if not self.search.stopped:
            if result >= goal:
                lo, hi = (max(lo, result), hi) if black else (lo, min(hi, -result))
            else:
                lo, hi = (lo, min(hi, result)) if black else (max(lo, -result), hi)
        return lo, hi

    cdef _stored(self, position):
        """Return what the table holds of a position: bounds from Black's side, and a move or None."""
        cdef Node node
        cdef Slot slot
        cdef u64 entry
        cdef int move
        fill_node(&node, position)
        slot = locate(&self.search, node.me.stones, node.opp.stones, node.ko, position.left, position.pass_ends)
        entry = probe(&slot, NULL)
        if not entry:
            return LEAST, MOST, None
        move = IMAGE_BACK[slot.symmetry][entry >> 4 & 31]
        lo, hi = max(entry_lo(entry), LEAST), min(entry_hi(entry), MOST)
        if not position.black_to_move:
            lo, hi = -hi, -lo
        return lo, hi, None if move == NO_MOVE else move
