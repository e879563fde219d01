/* The player's exact solver, solver/exact.py, in C. It searches the same nodes in the same order, so it finds the same bounds
 * and moves, but much faster. The closure, and the walk through the script, call it instead of the player's own solver.
 * tests/solver/test_twin.py compares both.
 *
 * Everything that influences a node is the same in both: the order in which groups are listed, which depends on the contents of
 * the cache of groups; the order in which ranks, which are doubles, are added; the nodes at which the limits are checked, and
 * the entries that are removed then. exact.py explains the search.
 */
#ifndef LITTLE_GO_TWIN_SEARCH_H
#define LITTLE_GO_TWIN_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

enum {
    EXACT_POINTS = 25,
    MOST_GROUPS = 13,                /* of one colour, each with a liberty */
    TABLE_LIMIT = 1000000,           /* entries above which some are removed, as in exact.py */
    HINT_LIMIT = 400000,
    CACHE_LIMIT = 150000,
    /* The capacities: these limits, and the entries that are added between two checks. */
    TABLE_BITS = 20, HINT_BITS = 19, CACHE_BITS = 18, LEAST_BITS = 12,
};

typedef struct {
    uint64_t key;
    uint32_t next, value;
} ExactEntry;

/* The groups of one colour's stones, in the order in which they were found. */
typedef struct {
    uint32_t stones, next, count;
    uint32_t near[MOST_GROUPS], group[MOST_GROUPS];
    uint8_t size[MOST_GROUPS];
} ExactGroups;

/* A searcher; zero it, then exact_reset(). */
typedef struct {
    uint64_t nodes;                  /* searched since exact_reset() */
    uint64_t node_stop, next_poll;
    bool stopped;
    int top;                         /* plies left of the question */
    uint32_t failed_bit;
    double history[EXACT_POINTS][EXACT_POINTS + 1];
    double own_rank[EXACT_POINTS][EXACT_POINTS], opp_rank[EXACT_POINTS][EXACT_POINTS];
    uint32_t by_left[EXACT_POINTS];  /* entries of the table by plies left */
    uint32_t table_count, hint_count, cache_count;
    int table_bits;                  /* of the table's heads */
    uint32_t table_heads[1 << TABLE_BITS], hint_heads[1 << HINT_BITS], cache_heads[1 << CACHE_BITS];
    ExactEntry table[1 << TABLE_BITS], hints[1 << HINT_BITS];
    ExactGroups cache[1 << CACHE_BITS];
} Exact;

/* Remove all entries. */
void exact_reset(Exact *exact);

/* Return a bound on the mover's margin at the end that decides whether it is `goal` or more, as ExactSolver._search does. At
 * least 3 plies must be left. ko: a bit, or 0 if there is no ko point. node_limit: UINT64_MAX for no limit. move: gets a bit, or
 * 0 for PASS. If `stopped` is set afterwards, there is no bound, and the move is the hint for the position, or UINT32_MAX. */
int exact_search(Exact *exact, uint32_t me, uint32_t opp, uint32_t ko, int left, int margin, int goal,
    uint64_t node_limit, uint32_t *move);

#endif
