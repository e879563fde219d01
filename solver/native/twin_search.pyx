# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The Python interface of the twin of the player's exact solver, ``twin_search.c``."""

from libc.stdlib cimport calloc, free
from libc.stdint cimport uint32_t, uint64_t

cdef extern from "twin_search.h" nogil:
    ctypedef struct CExact "Exact":
        uint64_t nodes
        bint stopped

    const size_t EXACT_BYTES "sizeof(Exact)"
    void exact_reset(CExact *exact)
    int exact_search(
        CExact *exact, uint32_t me, uint32_t opp, uint32_t ko, int left, int margin, int goal, uint64_t node_limit,
        uint32_t *move
    )


#: The memory (60 MB) of a deleted search. The next search uses it again, because a short search changes only a small part.
cdef CExact *_spare = NULL


cdef class ExactSearch:
    """An exact search together with its memory."""

    cdef CExact *exact

    def __cinit__(self):
        global _spare
        self.exact, _spare = _spare, NULL
        if self.exact == NULL:
            self.exact = <CExact *>calloc(1, EXACT_BYTES)
            if self.exact == NULL:
                raise MemoryError
        exact_reset(self.exact)

    def __dealloc__(self):
        global _spare
        if _spare == NULL:
            _spare = self.exact
        else:
            free(self.exact)

    def run(self, uint32_t me, uint32_t opp, uint32_t ko, int left, int margin, int goal, uint64_t limit):
        """Search as ExactSolver does. Return the bound, the bit of the move or None, the nodes, and whether a limit stopped it.

        The parameter ``limit`` is the approximate maximum number of nodes.
        """
        cdef uint32_t move
        cdef uint64_t before = self.exact.nodes
        cdef int bound
        with nogil:
            bound = exact_search(self.exact, me, opp, ko, left, margin, goal, limit, &move)
        found = None if move == 0xFFFFFFFF else move
        return bound, found, self.exact.nodes - before, bool(self.exact.stopped)
