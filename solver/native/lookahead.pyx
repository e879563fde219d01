# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The Python interface of the alpha-beta search to a fixed depth, ``lookahead.c``."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport uint32_t, uint64_t

cdef extern from "lookahead.h" nogil:
    cdef enum:
        NO_KO
        PASS
        BELOW
        MOST_DEPTH

    ctypedef struct CPosition "Position":
        uint32_t me
        uint32_t opp
        int ko
        int left
        bint pass_ends

    ctypedef struct Weights:
        int stones
        int liberties
        int contacts
        int reach
        int euler
        int edge
        int corners
        int in_atari

    ctypedef struct CLookahead "Lookahead":
        Weights weights
        uint64_t nodes

    const size_t LOOKAHEAD_BYTES "sizeof(Lookahead)"
    void lookahead_scores(CLookahead *lookahead, const CPosition *position, int depth, int margin, int *scores)


#: The maximum depth of a search, in plies.
DEEPEST = MOST_DEPTH


cdef class Lookahead:
    """A deterministic search with a fixed evaluation.

    weights: eight integers for the features stones, liberties, contacts, reach, euler, edge, corners and in_atari, which
        ``little_go.arena.agents.fixed_depth.Weights`` describes.
    The public attribute ``nodes`` is the number of positions searched so far.
    """

    cdef CLookahead *search

    def __cinit__(self, weights):
        # An entry of zeros matches no position, because it has no plies left.
        self.search = <CLookahead *>PyMem_Calloc(1, LOOKAHEAD_BYTES)
        if self.search == NULL:
            raise MemoryError
        stones, liberties, contacts, reach, euler, edge, corners, in_atari = weights
        self.search.weights = Weights(stones, liberties, contacts, reach, euler, edge, corners, in_atari)

    def __dealloc__(self):
        PyMem_Free(self.search)

    @property
    def nodes(self):
        return self.search.nodes

    def scores(self, position, int depth, int margin=0):
        """Search ``depth`` plies, and return the score of each move whose score is at most ``margin`` below the best score.

        PASS gets a score only if no point is legal. Raise ValueError if the game is over, if the depth is not from 1 to
        DEEPEST, or if the margin is negative.
        """
        cdef CPosition seen
        cdef int found[26]
        if position.is_over:
            raise ValueError("the game is over")
        if not 1 <= depth <= MOST_DEPTH or margin < 0:
            raise ValueError(f"depth {depth} is not within 1 to {DEEPEST}, or margin {margin} is below 0")
        seen.me, seen.opp = (
            (position.black, position.white) if position.black_to_move else (position.white, position.black)
        )
        seen.ko = NO_KO if position.ko is None else position.ko
        seen.left = position.left
        seen.pass_ends = position.pass_ends
        with nogil:
            lookahead_scores(self.search, &seen, depth, margin, found)
        return {move: found[move] for move in range(PASS + 1) if found[move] != BELOW}
