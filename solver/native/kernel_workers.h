/* Part of kernel.c: when a search stops, and how several workers share a search. A worker is a Kernel. All workers search the same
 * position for the same goal, and use the same table. */
#ifndef LITTLE_GO_KERNEL_WORKERS_H
#define LITTLE_GO_KERNEL_WORKERS_H

#include "kernel_table.h"

enum {
    CHECK_NODES = 1 << 20,         /* the number of nodes between two calls of must_stop(), if there is a single worker */
    SHARED_CHECK_NODES = 1 << 14,  /* the number of nodes between two calls of must_stop(), if several workers share the search */
    BUSY_LEFT = 8,                 /* the smallest number of plies left in a marked position; other marks would save no time */
    BUSY_INDEX_AT = 64 - 14,       /* the lowest of the 14 bits of the product in busy_cell() that are the index of a cell */
};

/* --- when to stop --------------------------------------------------------------------------- */

static inline void set_next_check(Kernel *kernel)
{
    kernel->next_check = kernel->nodes + (kernel->busy ? SHARED_CHECK_NODES : CHECK_NODES);
    if (kernel->node_limit && kernel->node_limit < kernel->next_check)
        kernel->next_check = kernel->node_limit;
}

/* Return whether another worker has decided one of the positions from the root to the current node. If so, stop the search, and
 * store the number of plies left in the decided position that is nearest to the root. Then decide() returns to this position and
 * continues there with the other worker's bound. */
static bool is_overtaken(Kernel *kernel)
{
    for (int left = MOST_LEFT; left >= BUSY_LEFT; left--) {
        u64 entry = kernel->open[left] ? probe(kernel->open[left]) : 0;
        if (entry && (entry_lo(entry) >= kernel->goals[left] || entry_hi(entry) < kernel->goals[left])) {
            kernel->verdict = entry_lo(entry) >= kernel->goals[left] ? entry_lo(entry) : entry_hi(entry);
            kernel->overtaken = left;
            kernel->stopped = true;
            return true;
        }
    }
    return false;
}

/* Return whether the search must stop, and set kernel->stopped if it must. The search stops if it reaches the node limit, if the
 * caller interrupts it, or if another worker has decided a position from the root to the current node. */
static bool must_stop(Kernel *kernel)
{
    if (kernel->node_limit && kernel->nodes >= kernel->node_limit) {
        kernel->stopped = true;
        return true;
    }
    if (kernel->busy && is_overtaken(kernel))
        return true;
    if (kernel->interrupted && kernel->interrupted(kernel->context)) {
        kernel->stopped = kernel->was_interrupted = true;
        return true;
    }
    set_next_check(kernel);
    return false;
}

/* Append a proven result to the caller's array. If the array is then full, stop the search, so that the caller can empty the
 * array. */
static void keep_result(Kernel *kernel, const Node *node, int left, bool pass_ends, int lo, int hi, int move, u64 nodes)
{
    if (kernel->kept_count < kernel->kept_room) {
        Kept *kept = &kernel->kept[kernel->kept_count++];
        kept->position = (Position){node->me.stones, node->opp.stones, node->ko, left, pass_ends};
        kept->answer = (Answer){lo, hi, move, nodes};
    }
    if (kernel->kept_count == kernel->kept_room)
        kernel->stopped = true;
}

/* --- marks ----------------------------------------------------------------------------------
 *
 * All workers share an array, in which each worker marks the positions that it is searching. If the position after a move is
 * marked, another worker first searches the other moves of its node, because the result of the marked position is likely to be in
 * the table afterwards (simplified ABDADA: Weill 1996, Kerrigan). A cell contains the tag of one position. If two positions have
 * the same cell, the mark of one position overwrites the mark of the other. This influences only the order of moves, never a
 * result.
 */

static inline u32 *busy_cell(const Kernel *kernel, const Slot *slot)
{
    return kernel->busy + ((slot->id >> PASSED_AT) * 0x9E3779B97F4A7C15u >> BUSY_INDEX_AT & (BUSY_TAGS - 1));
}

/* Return the tag of a position. A tag is never 0, because 0 means an empty cell. */
static inline u32 busy_tag(const Slot *slot)
{
    return (u32)(slot->id >> PASSED_AT) | 1;
}

static inline bool is_busy(const Kernel *kernel, const Slot *slot)
{
    return __atomic_load_n(busy_cell(kernel, slot), __ATOMIC_RELAXED) == busy_tag(slot);
}

#endif
