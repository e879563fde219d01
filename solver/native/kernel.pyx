# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The Python interface of the native search kernel, ``kernel.c``.

This module converts positions and values: they are from the mover's point of view in C, and from Black's in Python.
"""

import threading
from array import array

from cpython.buffer cimport PyBUF_READ, PyBUF_SIMPLE, PyBUF_WRITABLE, Py_buffer, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.memoryview cimport PyMemoryView_FromMemory
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from little_go.solver.answer import BLACK_WINS, Answer
from little_go.solver.position import GAME_PLIES, Position, move_name
from little_go.solver.symmetry import key_of, position_of

cdef extern from "<stdbool.h>":
    ctypedef bint cbool "bool"

cdef extern from *:
    const char *KERNEL_SOURCE

cdef extern from "kernel.h" nogil:
    cdef enum:
        POINTS
        NO_MOVE
        NO_GUESS
        NO_KO
        LINE_BYTES
        LEAST_LINES
        BUSY_TAGS
        KEY_KO
        KEY_LEFT
        KEY_BITS
        SEARCHED_LEFT "MOST_LEFT"
        PLIES "GAME_PLIES"
        MOST_CHILDREN

    ctypedef struct CPosition "Position":
        uint32_t me
        uint32_t opp
        int ko
        int left
        bint pass_ends

    ctypedef struct CAnswer "Answer":
        int lo
        int hi
        int best
        uint64_t nodes

    ctypedef struct Kept:
        CPosition position
        CAnswer answer

    ctypedef struct CKernel "Kernel":
        uint32_t *busy
        uint64_t nodes
        cbool (*interrupted)(void *context) noexcept nogil
        void *context
        Kept *kept
        int kept_room
        int kept_count
        uint64_t keep_nodes

    ctypedef struct MoveValue:
        int move
        CPosition after
        uint64_t nodes

    ctypedef struct MoveValues:
        int count
        MoveValue *moves

    void kernel_list_moves(MoveValues *values, const CPosition *position, int first)
    int kernel_move_lo(const MoveValue *value)
    int kernel_move_hi(const MoveValue *value)
    cbool kernel_narrow(MoveValue *value, int lo, int hi)

    void kernel_open(CKernel *kernel, void *table, uint64_t lines, uint64_t seed)
    void kernel_teach(CKernel *kernel, const CPosition *position, const CAnswer *answer)

    uint64_t kernel_canonical(uint64_t key)

cdef extern from "cpu_builds.h" nogil:
    enum:
        MOST_CPU_BUILDS

    ctypedef struct CpuBuild:
        const char *name
        CAnswer (*decide)(CKernel *kernel, const CPosition *position, int goal, uint64_t node_limit) noexcept nogil
        CAnswer (*value)(CKernel *kernel, const CPosition *position, int guess, uint64_t node_limit) noexcept nogil
        cbool (*moves)(CKernel *kernel, MoveValues *values, uint64_t node_limit) noexcept nogil
        uint64_t (*perft)(const CPosition *position, int depth, cbool count_pass) noexcept nogil
        int (*children)(uint64_t key, uint64_t *children, uint8_t *moves) noexcept nogil

    int cpu_builds(const CpuBuild **builds)


cdef extern from *:
    """
    #include <stdlib.h>
    #include <string.h>
    #ifdef __linux__
    #include <sys/mman.h>
    #endif

    /* Zeroed memory in pages of 2 MiB, if the system has such: a kernel's small table is asked all the time, and finding
     * a small page each time made searches an eighth longer. */
    static void *in_large_pages(size_t size)
    {
    #ifdef MADV_HUGEPAGE
        const size_t page = 1 << 21, rounded = (size + page - 1) / page * page;
        void *memory = aligned_alloc(page, rounded);
        if (!memory)
            return NULL;
        madvise(memory, rounded, MADV_HUGEPAGE);
        return memset(memory, 0, size);
    #else
        return calloc(1, size);
    #endif
    }
    """
    void *in_large_pages(size_t size)


BUSY_BYTES = 4 * BUSY_TAGS

#: The largest number of plies left in a position that the kernel can search.
MOST_LEFT = SEARCHED_LEFT

#: A hash of the C source code from which this kernel was built, in 64 hexadecimal digits.
SOURCE = KERNEL_SOURCE.decode("ascii")

cdef const CpuBuild *_builds[MOST_CPU_BUILDS]
cdef int _build_count = cpu_builds(_builds)
cdef const CpuBuild *_fastest = _builds[_build_count - 1]

#: The names of all builds of the search that this processor can run, with the fastest build last.
CPU_BUILDS = tuple([_builds[i].name.decode("ascii") for i in range(_build_count)])
_FASTEST = CPU_BUILDS[len(CPU_BUILDS) - 1]

cdef enum:
    KEPT_ROOM = 4096         # the number of stored results at which a search stops
    KEYS_AT_ONCE = 1 << 16   # the number of keys between two checks for signals
    DIGIT = 11               # the number of bits of a key that one pass of the sort compares
    DIGITS = 1 << DIGIT


cdef CPosition _from_mover(position):
    """Return the position from the mover's point of view. Raise ValueError if too many plies are left."""
    cdef CPosition seen
    if not 0 <= position.left <= SEARCHED_LEFT:
        raise ValueError(f"{position.left} plies are left: the kernel searches 0 to {SEARCHED_LEFT}")
    seen.me, seen.opp = (position.black, position.white) if position.black_to_move else (position.white, position.black)
    seen.ko = NO_KO if position.ko is None else position.ko
    seen.left = position.left
    seen.pass_ends = position.pass_ends
    return seen


cdef object _position(CPosition seen):
    black = seen.left % 2 == 0
    stones = (seen.me, seen.opp) if black else (seen.opp, seen.me)
    ply = GAME_PLIES - seen.left
    # On the first ply a PASS ends the game, although the field ``passed`` is False.
    return Position(*stones, None if seen.ko == NO_KO else seen.ko, ply, bool(seen.pass_ends) and ply != 0)


cdef object _answer(CAnswer seen, bint black):
    lo, hi = (seen.lo, seen.hi) if black else (-seen.hi, -seen.lo)
    return Answer(lo, hi, None if seen.best == NO_MOVE else seen.best, seen.nodes)


cdef int _goal(int threshold, bint black) noexcept:
    """Return the mover's goal, with which Black reaches the threshold or White keeps Black below the threshold."""
    return threshold if black else 1 - threshold


cdef struct Watch:
    bint stop                # whether another thread has stopped the search
    bint signals             # whether the search runs in the main thread, which is the only thread that gets signals
    void *kernel


cdef cbool _interrupted(void *context) noexcept nogil:
    """Return whether the search must stop. Only the main thread needs the GIL for this, so other threads do not wait."""
    cdef Watch *watch = <Watch *>context
    return watch.stop or (watch.signals and _signalled(watch.kernel))


cdef cbool _signalled(void *kernel) noexcept with gil:
    """Return whether the handler of a signal raised an exception, and store the exception until the search has ended."""
    try:
        PyErr_CheckSignals()
    except BaseException as error:
        (<Kernel>kernel).raised = error
        return True
    return False


def perft(position, int depth, *, bint count_pass=False):
    """Count the sequences of ``depth`` plies that begin at a position. Raise ValueError if the depth is below 1.

    A sequence ends early at two consecutive PASSes and at the last ply of the game. Such a
    sequence counts only if it has ``depth`` plies. A PASS on the first ply does not end the
    game in this function, as in published perft figures.
    """
    cdef CPosition seen = _from_mover(position)
    cdef uint64_t leaves
    if depth < 1:
        raise ValueError("depth must be at least 1")
    seen.pass_ends = position.passed
    with nogil:
        leaves = _fastest.perft(&seen, depth, count_pass)
    return leaves


def canonical_key(position):
    """Return the canonical key of a position. The result is the same as in solver.symmetry."""
    return kernel_canonical(key_of(position))


def children(key):
    """Return the legal moves, with points in ascending order and PASS last, and the canonical key after each move.

    The positions are the same as in Position.play(): after a PASS that ends the game, no plies are left.
    Raise ValueError if ``key`` is not the key of a position.
    """
    cdef uint64_t after[MOST_CHILDREN]
    cdef uint8_t moves[MOST_CHILDREN]
    cdef int i, count
    position_of(key)
    count = _fastest.children(key, after, moves)
    return [(moves[i], after[i]) for i in range(count)]


def next_ply(keys):
    """Return the canonical keys of all unfinished positions one ply later, in ascending order and without repetitions.

    The parameter ``keys`` contains the keys of any number of positions in any orientation.
    The result is an array("Q") with eight bytes for each key. It is empty after 24 plies. Raise ValueError if a number is
    not the key of a position.
    """
    cdef Py_buffer view
    cdef Keys found
    cdef size_t i
    try:
        given = array("Q", keys)
    except OverflowError:
        raise ValueError("a key is not within 61 bits") from None
    cdef size_t number = len(given)
    PyObject_GetBuffer(given, &view, PyBUF_SIMPLE)
    found.keys, found.spare, found.count, found.room = NULL, NULL, 0, 0
    try:
        for i in range(number):
            if not _is_key((<const uint64_t *>view.buf)[i]):
                position_of((<const uint64_t *>view.buf)[i])
        _add_next_ply(&found, <const uint64_t *>view.buf, number)
        following = array("Q")
        if found.count:
            following.frombytes(PyMemoryView_FromMemory(<char *>found.keys, found.count * sizeof(uint64_t), PyBUF_READ))
        return following
    finally:
        PyBuffer_Release(&view)
        free(found.keys)
        free(found.spare)


cdef struct Keys:
    uint64_t *keys
    uint64_t *spare   # an array of the same size, for sorting
    size_t count
    size_t room


cdef int _add_next_ply(Keys *found, const uint64_t *key, size_t number) except -1:
    """Add the unfinished children of ``number`` keys to ``found``, in ascending order and without repetitions."""
    cdef size_t i, start, most, kept = 0
    for start in range(0, number, KEYS_AT_ONCE):
        most = found.count + MOST_CHILDREN * KEYS_AT_ONCE
        if most > found.room:
            _enlarge(found, most + found.count // 2)
        with nogil:
            most = found.count
            for i in range(start, min(start + KEYS_AT_ONCE, number)):
                found.count = _add_open(key[i], found.keys, found.count)
            found.count = most + _distinct(found.keys + most, found.spare, found.count - most)
        # Several batches can lead to the same position. Remove such repetitions from time to time to save memory.
        if found.count > 2 * kept + MOST_CHILDREN * KEYS_AT_ONCE or start + KEYS_AT_ONCE >= number:
            found.count = kept = _distinct(found.keys, found.spare, found.count)
        PyErr_CheckSignals()
    return 0


cdef int _enlarge(Keys *found, size_t room) except -1:
    keys = <uint64_t *>realloc(found.keys, room * sizeof(uint64_t))
    if keys == NULL:
        raise MemoryError
    found.keys = keys
    # The spare keys have no meaning between two sorts, so they are not copied.
    free(found.spare)
    found.room, found.spare = 0, <uint64_t *>malloc(room * sizeof(uint64_t))
    if found.spare == NULL:
        raise MemoryError
    found.room = room
    return 0


cdef bint _is_key(uint64_t key) noexcept nogil:
    """Return whether position_of() accepts the key."""
    return key >> KEY_BITS == 0 and (key >> KEY_KO & 31) <= POINTS and (key >> KEY_LEFT & 31) <= PLIES


cdef size_t _add_open(uint64_t key, uint64_t *found, size_t count) noexcept nogil:
    """Append the unfinished children of a position to ``found``, and return the new number of keys."""
    cdef uint64_t after[MOST_CHILDREN]
    cdef int i
    for i in range(_fastest.children(key, after, NULL)):
        if after[i] >> KEY_LEFT & 31:
            found[count] = after[i]
            count += 1
    return count


cdef size_t _distinct(uint64_t *keys, uint64_t *spare, size_t count) noexcept nogil:
    """Sort the keys, remove repeated keys, and return the number of remaining keys."""
    cdef size_t i, kept = 0
    cdef int shift = 0
    while shift < KEY_BITS:
        _sort_by_digit(keys, spare, count, shift)
        shift += DIGIT
    for i in range(count):
        if kept == 0 or keys[i] != keys[kept - 1]:
            keys[kept] = keys[i]
            kept += 1
    return kept


cdef void _sort_by_digit(uint64_t *keys, uint64_t *spare, size_t count, int shift) noexcept nogil:
    """Sort the keys by DIGIT of their bits, in a stable way. This is one pass of a radix sort."""
    cdef size_t ends[DIGITS]
    cdef size_t i, size, digit, end = 0
    memset(ends, 0, sizeof(ends))
    for i in range(count):
        ends[keys[i] >> shift & (DIGITS - 1)] += 1
    for digit in range(DIGITS):
        size = ends[digit]
        if size == count:
            return
        ends[digit] = end
        end += size
    for i in range(count):
        digit = keys[i] >> shift & (DIGITS - 1)
        spare[ends[digit]] = keys[i]
        ends[digit] += 1
    memcpy(keys, spare, count * sizeof(uint64_t))


cdef class MoveBounds:
    """Proven bounds on the values of a position's moves, which Kernel.moves() narrows until they are exact.

    Any number of threads may read the bounds while kernels narrow them.
    The public attribute ``position`` is the position before the moves. A finished game has no moves.
    """

    cdef MoveValues values
    cdef readonly object position

    def __cinit__(self, position):
        cdef CPosition seen = _from_mover(position)
        self.position = position
        self.values.count = 0
        if not position.is_over:
            kernel_list_moves(&self.values, &seen, _goal(BLACK_WINS, position.black_to_move))

    @property
    def is_exact(self):
        """Whether all moves have exact values."""
        return all(answer.value is not None for answer in self.answers().values())

    def answers(self):
        """Return an Answer for each legal move, with points in ascending order and PASS last. The Answers have no ``best``."""
        cdef bint black = self.position.black_to_move
        cdef CAnswer seen
        cdef int i
        found = {}
        for i in range(self.values.count):
            seen.lo, seen.hi = kernel_move_lo(&self.values.moves[i]), kernel_move_hi(&self.values.moves[i])
            seen.best, seen.nodes = NO_MOVE, self.values.moves[i].nodes
            found[self.values.moves[i].move] = _answer(seen, black)
        return found

    def narrow(self, int move, int lo, int hi):
        """Add proven bounds on the value of a move. The bounds are from Black's point of view.

        Raise ValueError if the move is not legal, or if the new bounds contradict the old bounds.
        """
        cdef int i
        for i in range(self.values.count):
            if self.values.moves[i].move == move:
                if not self.position.black_to_move:
                    lo, hi = -hi, -lo
                if not kernel_narrow(&self.values.moves[i], lo, hi):
                    raise ValueError(f"bounds on the move {move_name(move)} contradict what is known of it")
                return
        raise ValueError(f"{move_name(move)} is not a legal move")


cdef class Kernel:
    """An exact solver that uses a transposition table, which several kernels can share.

    table: any writable buffer whose size in bytes is a power of two, and at least 16 MiB. A buffer of
        zeros is an empty table. Kernels in any number of threads and processes may share the table.
    busy: a writable buffer of BUSY_BYTES zeros, or None. Kernels that search the same question on the
        same table at the same time share this buffer, so that they divide the work.
    keep_nodes: the smallest cost, in nodes, of a result that is stored for take_kept(); None to store no results.
    seed: a number that changes the order of moves, and so the search tree; 0 is the normal order.
    build: one of CPU_BUILDS. All builds search the same tree.
    The public attribute ``nodes`` is the number of positions searched since the kernel was created. It can be
    read during a search. A node is a position that the search enters, in which it computes static bounds,
    looks up the table, and searches the moves. If no other kernel uses the table, the number depends only on
    the questions so far.
    Raise ValueError if a buffer has an invalid size, or if this processor cannot run the build.
    """

    cdef CKernel *kernel
    cdef const CpuBuild *build
    cdef Watch watch
    cdef Py_buffer table_view
    cdef Py_buffer busy_view
    cdef bint has_table
    cdef bint has_busy
    cdef object raised

    def __cinit__(self, table, *, busy=None, keep_nodes=None, uint64_t seed=0, build=_FASTEST):
        self.build = _builds[CPU_BUILDS.index(build)]
        self.has_table = self.has_busy = False
        self.kernel = <CKernel *>in_large_pages(sizeof(CKernel))
        if self.kernel == NULL:
            raise MemoryError
        PyObject_GetBuffer(table, &self.table_view, PyBUF_SIMPLE | PyBUF_WRITABLE)
        self.has_table = True
        cdef uint64_t lines = <uint64_t>self.table_view.len // LINE_BYTES
        if self.table_view.len & (self.table_view.len - 1) or lines < LEAST_LINES:
            raise ValueError(f"a table has a power of two of bytes, 16 MiB or more; not {self.table_view.len}")
        kernel_open(self.kernel, self.table_view.buf, lines, seed)
        if busy is not None:
            PyObject_GetBuffer(busy, &self.busy_view, PyBUF_SIMPLE | PyBUF_WRITABLE)
            self.has_busy = True
            if self.busy_view.len != BUSY_BYTES:
                raise ValueError(f"a busy buffer has {BUSY_BYTES} bytes, not {self.busy_view.len}")
            self.kernel.busy = <uint32_t *>self.busy_view.buf
        if keep_nodes:
            self.kernel.kept = <Kept *>PyMem_Malloc(KEPT_ROOM * sizeof(Kept))
            if self.kernel.kept == NULL:
                raise MemoryError
            self.kernel.kept_room = KEPT_ROOM
            self.kernel.keep_nodes = keep_nodes
        self.watch = Watch(False, False, <void *>self)
        self.kernel.interrupted = _interrupted
        self.kernel.context = &self.watch

    def __dealloc__(self):
        if self.kernel != NULL:
            PyMem_Free(self.kernel.kept)
            free(self.kernel)
        if self.has_table:
            PyBuffer_Release(&self.table_view)
        if self.has_busy:
            PyBuffer_Release(&self.busy_view)

    @property
    def nodes(self):
        return self.kernel.nodes

    def stop(self):
        """Stop the search of another thread within a million nodes, and every later search immediately.

        As at a node limit, the answer of a stopped search may leave the question open.
        """
        self.watch.stop = True

    def take_kept(self):
        """Return the expensive results since the last call as pairs of a position and an Answer with one proven bound.

        The kernel then deletes these results. If too many results are stored, a search stops as at a node limit.
        """
        kept = []
        for i in range(self.kernel.kept_count):
            position = _position(self.kernel.kept[i].position)
            kept.append((position, _answer(self.kernel.kept[i].answer, position.black_to_move)))
        self.kernel.kept_count = 0
        return kept

    def teach(self, position, answer):
        """Write a proven answer into the table, as if a search had found it with ``answer.nodes`` nodes."""
        cdef CPosition seen = _from_mover(position)
        cdef CAnswer taught
        taught.lo, taught.hi = (answer.lo, answer.hi) if position.black_to_move else (-answer.hi, -answer.lo)
        taught.best = NO_MOVE if answer.best is None else answer.best
        taught.nodes = answer.nodes
        kernel_teach(self.kernel, &seen, &taught)

    def decide(self, position, int threshold, *, node_limit=None):
        """Decide whether the position's value is at least ``threshold``, and return an Answer.

        After about ``node_limit`` nodes the search stops, and the Answer may leave the question open. If ``node_limit`` is
        None, there is no limit.
        """
        return self._ask(position, _goal(threshold, position.black_to_move), node_limit, False)

    def value(self, position, *, guess=None, node_limit=None):
        """Find the position's exact value, and return an Answer. The limit is the same as for decide().

        The parameter ``guess`` is a likely value. If the guess is right, the kernel searches two questions, and one more for
        each stone by which the guess is wrong. If it is None, the guess is the value of the same board with fewer plies left.
        """
        cdef int seen = NO_GUESS
        if guess is not None:
            seen = guess if position.black_to_move else -guess
        return self._ask(position, seen, node_limit, True)

    def moves(self, MoveBounds bounds not None, *, node_limit=None):
        """Find the exact values of all moves: first the winner after each move, then the values, beginning with the highest.

        Return whether all values are exact. Kernels in several threads may narrow the same ``bounds`` if they share the
        table and the busy buffer. A node limit, stop(), or too many results for take_kept() may end the search early.
        """
        cdef uint64_t limit = 0 if node_limit is None else max(node_limit, 1)
        cdef bint is_exact
        self.watch.signals = threading.get_ident() == threading.main_thread().ident
        with nogil:
            is_exact = self.build.moves(self.kernel, &bounds.values, limit)
        self._raise()
        return is_exact

    def _raise(self):
        """If the handler of a signal raised an exception during the search, raise this exception."""
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised

    def _ask(self, position, int asked, node_limit, bint exact):
        """Return the Answer to a question. ``asked`` is a guess at the value if ``exact`` is true, and otherwise a goal."""
        cdef CPosition seen
        cdef CAnswer answer
        cdef uint64_t limit = 0 if node_limit is None else max(node_limit, 1)
        if position.is_over:
            return Answer(position.margin, position.margin, None, 0)
        seen = _from_mover(position)
        self.watch.signals = threading.get_ident() == threading.main_thread().ident
        with nogil:
            answer = self.build.value(self.kernel, &seen, asked, limit) if exact else (
                self.build.decide(self.kernel, &seen, asked, limit)
            )
        self._raise()
        return _answer(answer, position.black_to_move)
