/* The oracle that searches with a kernel, which only the page uses, as functions for a test in Python. */
#include "explain.c"

enum { LINES = LEAST_LINES };

static Kernel kernel;
static _Alignas(LINE_BYTES) unsigned char table[LINES * LINE_BYTES];
static Searcher searcher = {.kernel = &kernel};

void open_kernel(void)
{
    kernel_open(&kernel, table, LINES, 0);
}

/* Find the value of a position, or determine whether it reaches a goal, within a number of nodes. Store the number of searched
 * nodes. Return false if the oracle does not find the answer. */
bool ask(const Position *position, int goal, uint64_t limit, int *answer, uint64_t *nodes)
{
    uint64_t before = kernel.nodes;
    searcher.end = limit == UINT64_MAX ? UINT64_MAX : before + limit;
    Oracle oracle = explain_search(&searcher);
    bool found, reaches;
    if (goal == NO_GUESS) {
        found = oracle.value(oracle.context, position, answer);
    } else {
        found = oracle.reaches(oracle.context, position, goal, &reaches);
        *answer = reaches;
    }
    *nodes = kernel.nodes - before;
    return found;
}

int open_left(void) { return searcher.open.left; }
uint32_t open_stones(void) { return searcher.open.me; }
