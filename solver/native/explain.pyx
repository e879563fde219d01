# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The Python interface of ``explain.c``, which explains why a move is worse than another move."""

from libc.stdint cimport uint8_t, uint32_t

from little_go.solver.position import GAME_PLIES, Position

cdef extern from "<stdbool.h>":
    ctypedef bint cbool "bool"

cdef extern from "explain.h" nogil:
    enum:
        NO_KO
        MOST_LEFT
        THEMES_COUNT "THEMES"
        KINDS_COUNT "KINDS"
        KIND_PASSES
        KIND_OTHER
        UNDECIDED
        IS_BEST
        EXPLAINED

    ctypedef struct CPosition "Position":
        uint32_t me
        uint32_t opp
        int ko
        int left
        bint pass_ends

    ctypedef struct PlayLine:
        int count
        uint8_t *moves

    ctypedef struct CReason "Reason":
        int theme
        int kind
        char *worse
        char *better

    ctypedef struct Oracle:
        cbool (*value)(void *context, const CPosition *position, int *value) noexcept nogil
        cbool (*reaches)(void *context, const CPosition *position, int goal, cbool *reaches) noexcept nogil
        void *context

    const char **THEME_TEXTS
    const char **KIND_TEXTS

    cbool explain_lines(
        CReason *reason, const CPosition *start, const PlayLine *worse, const PlayLine *better, int outcome, int plies,
        int half_points
    )
    int explain_move(const Oracle *oracle, const CPosition *start, int move, PlayLine *worse, PlayLine *better)
    cbool explain_settle(const Oracle *oracle, const CPosition *start, int value, PlayLine *line)


#: The themes of reasons and the kinds of mistakes, in the order of sentences.h.
THEMES = tuple([THEME_TEXTS[i].decode("ascii") for i in range(THEMES_COUNT)])
KINDS = tuple([KIND_TEXTS[i].decode("ascii") for i in range(KINDS_COUNT)])

#: The kind of a mistaken PASS, and the kind of a mistake to which no other kind applies.
PASSES, OTHER = KINDS[KIND_PASSES], KINDS[KIND_OTHER]


cdef CPosition _from_mover(position):
    cdef CPosition seen
    seen.me, seen.opp = (position.black, position.white) if position.black_to_move else (position.white, position.black)
    seen.ko = NO_KO if position.ko is None else position.ko
    seen.left = position.left
    seen.pass_ends = position.pass_ends
    return seen


cdef object _position(const CPosition *seen):
    stones = (seen.me, seen.opp) if seen.left % 2 == 0 else (seen.opp, seen.me)
    ply = GAME_PLIES - seen.left
    return Position(*stones, None if seen.ko == NO_KO else seen.ko, ply, bool(seen.pass_ends) and ply != 0)


cdef int _fill(PlayLine *line, moves) except -1:
    line.count = 0
    for move in moves[:MOST_LEFT]:
        line.moves[line.count] = move
        line.count += 1
    return 0


def reason(position, worse, better, int plies, double komi, int outcome=EXPLAINED):
    """Return the reason why the first move of one line is worse than the first move of another line.

    The result consists of the theme, a sentence about each line, and the kind of the mistake. The game has the length ``plies`` and the given komi. The outcome is that of explain(), if the move was compared with a PASS. Raise IllegalMove for an illegal move, and ValueError for a line with a single move that does not end the game.
    """
    cdef CReason found
    cdef CPosition start = _from_mover(position)
    cdef PlayLine bad, good
    _fill(&bad, worse)
    _fill(&good, better)
    if not explain_lines(&found, &start, &bad, &good, outcome, plies, <int>(2 * komi)):
        for line in (worse, better):
            after = position
            for move in line:
                after = after.play(move)
        raise ValueError("a line has two moves at least, or goes to the end of the game")
    return THEMES[found.theme], found.worse.decode("ascii"), found.better.decode("ascii"), KINDS[found.kind]


cdef class _Asking:
    """A judge whose methods C code calls, and the exception that a method raised."""

    cdef object judge
    cdef object error
    cdef Oracle oracle

    def __cinit__(self, judge):
        self.judge, self.error = judge, None
        self.oracle.value, self.oracle.reaches, self.oracle.context = _value, _reaches, <void *>self


cdef cbool _value(void *context, const CPosition *position, int *value) noexcept with gil:
    asking = <_Asking>context
    try:
        value[0] = asking.judge.value(_position(position)) * (1 if position.left % 2 == 0 else -1)
    except BaseException as error:
        asking.error = error
        return False
    return True


cdef cbool _reaches(void *context, const CPosition *position, int goal, cbool *reaches) noexcept with gil:
    asking = <_Asking>context
    cdef bint black = position.left % 2 == 0
    try:
        reaches[0] = asking.judge.reaches(_position(position), goal if black else 1 - goal) == black
    except BaseException as error:
        asking.error = error
        return False
    return True


def explain(position, int move, judge):
    """Return two lines of best play, one that begins with a move and one that begins with a better move, and the outcome.

    If no move is better, return None. The outcome is EXPLAINED, LIKE_A_PASS or BELOW_A_PASS of explain.h. The judge has the methods of ``little_go.book.answers.reasons.ExactOracle``, and their exceptions are passed on. Raise IllegalMove for an illegal move.
    """
    cdef _Asking asking = _Asking(judge)
    cdef CPosition start = _from_mover(position)
    cdef PlayLine worse, better
    position.play(move)
    cdef int found = explain_move(&asking.oracle, &start, move, &worse, &better)
    if found == UNDECIDED:
        raise asking.error
    return None if found == IS_BEST else (_moves(&worse), _moves(&better), found)


def settled_line(position, judge):
    """Return a line of best play from a position to the end of the game. The judge is the same as for explain()."""
    cdef _Asking asking = _Asking(judge)
    cdef CPosition start = _from_mover(position)
    cdef PlayLine line
    cdef int value = judge.value(position) * (1 if position.black_to_move else -1)
    if not explain_settle(&asking.oracle, &start, value, &line):
        raise asking.error
    return _moves(&line)


cdef object _moves(const PlayLine *line):
    return tuple([line.moves[i] for i in range(line.count)])
