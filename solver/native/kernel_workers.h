/* When the kernel stops, and how several workers share a search. Part of kernel.c. */
#ifndef LITTLE_GO_KERNEL_WORKERS_H
#define LITTLE_GO_KERNEL_WORKERS_H

#include "kernel_table.h"

enum {
    CHECK_NODES = 1 << 20,     /* how often interrupts and limits are looked at */
    BUSY_LEFT = 8,             /* with fewer plies left, a position is not worth sharing out */
    LOOK_NODES = 1 << 14,      /* how often a worker looks at what the others have decided */
};

/* --- when to stop --------------------------------------------------------------------------- */

static inline void set_next_check(Kernel *kernel)
{
    kernel->next_check = kernel->nodes + (kernel->busy ? LOOK_NODES : CHECK_NODES);
    if (kernel->node_limit && kernel->node_limit < kernel->next_check)
        kernel->next_check = kernel->node_limit;
}

/* Whether another worker has decided a position that this one is inside of: then stop, back to the first such. */
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

/* Whether to stop: the node limit is reached, the caller has interrupted, or others were faster. */
static bool out_of_budget(Kernel *kernel)
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

/* Put an expensive result aside for the caller; stop when there is no room for the next. */
static void put_aside(Kernel *kernel, const Node *node, int left, bool pass_ends, int lo, int hi, int move, u64 nodes)
{
    if (kernel->kept_count < kernel->kept_room) {
        Kept *kept = &kernel->kept[kernel->kept_count++];
        kept->position = (Position){node->me.stones, node->opp.stones, node->ko, left, pass_ends};
        kept->answer = (Answer){lo, hi, move, nodes};
    }
    if (kernel->kept_count == kernel->kept_room)
        kernel->stopped = true;
}

static inline u32 *busy_place(const Kernel *kernel, const Slot *slot)
{
    return kernel->busy + ((slot->id >> 21) * 0x9E3779B97F4A7C15u >> 50 & (BUSY_TAGS - 1));
}

static inline u32 busy_tag(const Slot *slot)
{
    return (u32)(slot->id >> 21) | 1;
}

static inline bool is_busy(const Kernel *kernel, const Slot *slot)
{
    return __atomic_load_n(busy_place(kernel, slot), __ATOMIC_RELAXED) == busy_tag(slot);
}

#endif
