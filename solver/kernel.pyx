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
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from solver.answer import LEAST, MOST, Answer
from solver.position import GAME_PLIES, PASS as PASS_MOVE, Position
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
    TABLE_LEFT = 4           # fewer plies left: not stored
    CANONICAL_LEFT = 8       # fewer plies left: stored in the orientation they have
    CHECK_NODES = 1 << 20    # how often signals and limits are looked at

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

cdef inline int most(const Side *me, const Side *opp, u32 empty, int mine, int theirs) noexcept nogil:
    """The most that ``me`` can reach with ``mine`` plies to come, against ``theirs``.

    The opponent's strategy that proves it: pass, but fill liberties it can spare. A group of
    more than ``mine`` liberties stands for good; one with L liberties can take L - mine - 1
    stones of its own more, whatever happens. Groups that share liberties count them once.
    """
    cdef u32 liberties, used = 0
    cdef int i, count, safe = 0, fills = 0, reach, room
    for i in range(opp.groups):
        liberties = opp.around[i] & empty
        count = popcount(liberties)
        if count > mine:
            safe += popcount(opp.group[i])
            count = popcount(liberties & ~used) - mine - 1
            if count > 0:
                fills += count
                used |= liberties
    if fills > theirs:
        fills = theirs
    safe += fills
    reach = popcount(me.stones) + mine
    room = 24 - safe
    if reach > room:
        reach = room
    return reach - safe


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

cdef struct Search:
    u64 *table
    u64 last_line
    u64 nodes
    u64 node_limit           # 0: none
    u64 next_check
    bint stopped
    int32_t history[2][POINTS]


cdef inline void canonical(u32 *me, u32 *opp, int *ko, int *symmetry) noexcept nogil:
    cdef u64 image, best = ~<u64>0
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
    slot.symmetry = 0
    if left >= CANONICAL_LEFT:
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
    if search.node_limit and search.nodes >= search.node_limit:
        search.stopped = True
        return True
    with gil:
        try:
            PyErr_CheckSignals()
        except BaseException:
            search.stopped = True
            raise
    search.next_check = search.nodes + CHECK_NODES
    if search.node_limit and search.node_limit < search.next_check:
        search.next_check = search.node_limit
    return False


cdef inline int last_ply(const Node *node, u32 empty) noexcept nogil:
    """What the last ply of the game adds to the mover's margin: 0 for PASS, else 1 + the captures."""
    cdef u32 legal = legal_points(node, empty), points, liberties
    cdef int i, taken, best
    if not legal:
        return 0
    best = 0
    points = 0
    for i in range(node.opp.groups):
        liberties = node.opp.around[i] & empty
        if liberties & (liberties - 1) == 0:
            points |= liberties
    points &= legal
    while points:
        taken = popcount(captures(&node.opp, points & (~points + 1), empty))
        if taken > best:
            best = taken
        points &= points - 1
    return best + 1


cdef int decide(Search *search, const Node *node, int left, bint passed, int goal) noexcept nogil:
    """Whether the mover's value reaches ``goal``, as a bound: r >= goal means value >= r, else value <= r."""
    cdef u32 empty = FULL & ~(node.me.stones | node.opp.stones)
    cdef u32 legal, points, stone, taken, atari, danger, liberties, near
    cdef int margin = popcount(node.me.stones) - popcount(node.opp.stones)
    cdef int mine = (left + 1) >> 1, theirs = left >> 1
    cdef int lo, hi, best, best_move, i, k, moves, point, result, score, bound
    cdef int hint = NO_MOVE
    cdef u64 entry, before
    cdef Slot slot
    cdef Slot slots[MAX_MOVES]
    cdef int move[MAX_MOVES]
    cdef int rank[MAX_MOVES]
    cdef u32 take[MAX_MOVES]
    cdef Node child

    search.nodes += 1
    if passed and margin >= goal:
        return margin
    if left == 1:
        return margin + last_ply(node, empty)
    hi = most(&node.me, &node.opp, empty, mine, theirs)
    if hi < goal:
        return hi
    lo = -most(&node.opp, &node.me, empty, theirs, mine)
    if passed and lo < margin:
        lo = margin
    if lo >= goal:
        return lo
    if search.nodes >= search.next_check and out_of_budget(search):
        return goal
    before = search.nodes

    if left >= TABLE_LEFT:
        slot = locate(search, node.me.stones, node.opp.stones, node.ko, left, passed)
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
            hint = IMAGE_BACK[slot.symmetry][entry >> 4 & 31]

    # Rank the moves.
    legal = legal_points(node, empty)
    atari = 0
    for i in range(node.opp.groups):
        liberties = node.opp.around[i] & empty
        if liberties & (liberties - 1) == 0:
            atari |= liberties
    danger = 0
    for i in range(node.me.groups):
        liberties = node.me.around[i] & empty
        if liberties & (liberties - 1) == 0:
            danger |= liberties
    moves = 0
    points = legal
    while points:
        point = lowest(points)
        stone = (<u32>1) << point
        points ^= stone
        take[moves] = captures(&node.opp, stone, empty) if stone & atari else 0
        near = NEIGHBOURS[point]
        score = search.history[left & 1][point] + 64 * CENTRALITY[point]
        if take[moves]:
            score += 4096 + 1024 * popcount(take[moves])
        if stone & danger:
            score += 2048
        score += 128 * popcount(near & empty)
        if point == hint:
            score = 1 << 30
        move[moves] = point
        rank[moves] = score
        moves += 1
    move[moves] = PASS
    take[moves] = 0
    rank[moves] = (1 << 30) if hint == PASS else -(1 << 30)
    moves += 1

    best = -99
    best_move = NO_MOVE
    if passed:
        # Here PASS ends the game: it is worth the margin, which was tried above.
        moves -= 1
        best = margin
        best_move = PASS

    # Ask the table about every child before searching any.
    if left > TABLE_LEFT:
        for i in range(moves):
            if move[i] == PASS:
                slots[i] = locate(search, node.opp.stones, node.me.stones, NO_KO, left - 1, True)
            else:
                stone = (<u32>1) << move[i]
                k = NO_KO
                if take[i] and take[i] & (take[i] - 1) == 0 and NEIGHBOURS[move[i]] & ~node.opp.stones == 0:
                    k = lowest(take[i])
                slots[i] = locate(search, node.opp.stones ^ take[i], node.me.stones | stone, k, left - 1, False)
            prefetch(slots[i].line)
        i = 0
        while i < moves:
            entry = probe(&slots[i], NULL)
            if entry:
                result = -entry_hi(entry)
                if result >= goal:
                    store(&slot, result, hi, move[i], 1)
                    return result
                result = -entry_lo(entry)
                if result < goal:
                    # This move is refuted already.
                    if result > best:
                        best = result
                        best_move = move[i]
                    moves -= 1
                    move[i] = move[moves]
                    take[i] = take[moves]
                    rank[i] = rank[moves]
                    slots[i] = slots[moves]
                    continue
            i += 1

    while moves:
        # The best ranked of what is left.
        k = 0
        for i in range(1, moves):
            if rank[i] > rank[k]:
                k = i
        if move[k] == PASS:
            child.me = node.opp
            child.opp = node.me
            child.ko = NO_KO
            result = -decide(search, &child, left - 1, True, 1 - goal)
        else:
            play(&child, node, move[k], take[k])
            result = -decide(search, &child, left - 1, False, 1 - goal)
        if search.stopped:
            return goal
        if result > best:
            best = result
            best_move = move[k]
            if best >= goal:
                if best_move != PASS:
                    search.history[left & 1][best_move] += left
                    if search.history[left & 1][best_move] > 2048:
                        for i in range(POINTS):
                            search.history[left & 1][i] >>= 1
                break
        moves -= 1
        move[k] = move[moves]
        take[k] = take[moves]
        rank[k] = rank[moves]

    if best >= goal:
        lo = best
    elif best < hi:
        hi = best
    if left >= TABLE_LEFT:
        store(&slot, lo, hi, best_move, search.nodes - before)
    return lo if best >= goal else hi


cdef u64 perft(const Node *node, int left, bint passed, int depth, bint count_pass) noexcept nogil:
    cdef u32 empty = FULL & ~(node.me.stones | node.opp.stones)
    cdef u32 legal, stone, atari = 0, liberties
    cdef u64 total = 0
    cdef Node child
    cdef int i, point
    if left == 0:
        return 0
    legal = legal_points(node, empty)
    if depth == 1:
        return popcount(legal) + count_pass
    for i in range(node.opp.groups):
        liberties = node.opp.around[i] & empty
        if liberties & (liberties - 1) == 0:
            atari |= liberties
    while legal:
        point = lowest(legal)
        stone = (<u32>1) << point
        legal ^= stone
        play(&child, node, point, captures(&node.opp, stone, empty) if stone & atari else 0)
        total += perft(&child, left - 1, False, depth - 1, count_pass)
    if count_pass and not passed:
        child.me = node.opp
        child.opp = node.me
        child.ko = NO_KO
        total += perft(&child, left - 1, True, depth - 1, count_pass)
    return total


# --- what Python sees -----------------------------------------------------------------------

cdef int fill_node(Node *node, position) except -1:
    me, opp = (position.black, position.white) if position.black_to_move else (position.white, position.black)
    fill_side(&node.me, me)
    fill_side(&node.opp, opp)
    node.ko = NO_KO if position.ko is None else position.ko
    return 0


cdef class Kernel:
    cdef Search search
    cdef Py_buffer view
    cdef bint borrowed
    cdef void *memory

    def __cinit__(self, table=None, *, int mib=64):
        cdef u64 lines
        self.memory = NULL
        self.borrowed = False
        memset(&self.search, 0, sizeof(Search))
        lines = <u64>mib << 14
        self.memory = calloc(lines, 64)
        self.search.table = <u64 *>self.memory
        self.search.last_line = lines - 1

    def __dealloc__(self):
        free(self.memory)

    def ask(self, position, int goal, u64 node_limit=0):
        cdef Node node
        cdef int left, r
        cdef bint passed
        fill_node(&node, position)
        left = position.left
        passed = position.pass_ends
        self.search.node_limit = self.search.nodes + node_limit if node_limit else 0
        self.search.next_check = self.search.nodes + CHECK_NODES
        self.search.stopped = False
        g = goal if position.black_to_move else 1 - goal
        cdef int gg = g
        with nogil:
            r = decide(&self.search, &node, left, passed, gg)
        return r, self.search.nodes, self.search.stopped

def run_perft(position, int depth, bint count_pass=False):
    cdef Node node
    cdef u64 r
    cdef int left = position.left
    cdef bint passed = position.passed
    fill_node(&node, position)
    with nogil:
        r = perft(&node, left, passed, depth, count_pass)
    return r
