/* A copy in C of the player's exact solver, solver/exact.py. The copy searches the same nodes in the same order, so it finds the
 * same bounds and moves, but much faster. Python calls the copy through TwinSolver in solver/native/twin.py. The test
 * tests/solver/test_twin.py compares the two solvers. The comments in exact.py explain the search.
 *
 * Everything that influences the search is the same in both solvers:
 *
 * - the order in which groups are listed, which depends on the contents of the cache of groups,
 * - the order in which the parts of a rank are added, because the parts are floating-point numbers,
 * - the nodes at which the limits are checked, and the entries that are removed at these checks.
 */
#ifndef LITTLE_GO_TWIN_SEARCH_H
#define LITTLE_GO_TWIN_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

enum {
    EXACT_POINTS = 25,
    MOST_GROUPS = 13,                /* the largest number of groups of one colour if all of these groups have a liberty */
    /* If a table has more entries than its limit at a check, some or all entries are removed. The limits are the same as in
     * exact.py. */
    TABLE_LIMIT = 1000000,
    HINT_LIMIT = 400000,
    CACHE_LIMIT = 150000,
    /* The binary logarithms of the capacities of the three tables. A capacity is larger than the limit, because entries are added
     * between two checks. */
    TABLE_BITS = 20, HINT_BITS = 19, CACHE_BITS = 18,
    LEAST_BITS = 12,                 /* the binary logarithm of the table's first number of heads; TABLE_BITS - LEAST_BITS is even */
};

typedef struct {
    uint64_t key;
    uint32_t next, value;
} ExactEntry;

/* The groups of one colour's stones, in the order in which the search found the groups. */
typedef struct {
    uint32_t stones, next, count;
    uint32_t near[MOST_GROUPS], group[MOST_GROUPS];
    uint8_t size[MOST_GROUPS];
} ExactGroups;

/* The state of a searcher. The caller fills the struct with zeros, and then calls exact_reset(). */
typedef struct {
    uint64_t nodes;                  /* the number of nodes searched since exact_reset() */
    uint64_t node_stop, next_poll;   /* the values of `nodes` at which the search stops, and at which poll() is called next */
    bool stopped;
    int top;                         /* the number of plies left at the root of the current search */
    uint32_t failed_bit;             /* the best move of the last node at which no move reached the goal, as a mask */
    double history[EXACT_POINTS][EXACT_POINTS + 1];
    double own_rank[EXACT_POINTS][EXACT_POINTS], opp_rank[EXACT_POINTS][EXACT_POINTS];
    uint32_t by_left[EXACT_POINTS];  /* the number of entries of `table`, indexed by plies left */
    uint32_t table_count, hint_count, cache_count;
    int table_bits;                  /* the binary logarithm of the number of heads that `table` uses now */
    uint32_t table_heads[1 << TABLE_BITS], hint_heads[1 << HINT_BITS], cache_heads[1 << CACHE_BITS];
    ExactEntry table[1 << TABLE_BITS], hints[1 << HINT_BITS];
    ExactGroups cache[1 << CACHE_BITS];
} Exact;

/* Remove all entries of all tables. */
void exact_reset(Exact *exact);

/* Return a bound on the mover's final margin that decides whether the margin is at least `goal`, as ExactSolver._search() does. At
 * least 3 plies must be left. The parameter `ko` is the mask of the ko point, or 0. A node_limit of UINT64_MAX means that there is
 * no limit. The function stores the best move in `move`: the mask of a point, or 0 for PASS. If exact->stopped is set after the
 * call, the result is not a bound, and `move` is the hint for the position, or UINT32_MAX if there is no hint. */
int exact_search(Exact *exact, uint32_t me, uint32_t opp, uint32_t ko, int left, int margin, int goal,
    uint64_t node_limit, uint32_t *move);

#endif
