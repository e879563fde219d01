/* The kernel's search. Part of kernel.c. */
#ifndef LITTLE_GO_KERNEL_SEARCH_H
#define LITTLE_GO_KERNEL_SEARCH_H

#include "kernel_bounds.h"
#include "kernel_last_plies.h"
#include "kernel_order.h"
#include "kernel_table.h"
#include "kernel_workers.h"

enum {
    SCAN_LEFT = 6,             /* with fewer plies left, the table is not asked about all children first */
};

/* Whether the mover's value reaches `goal`, as a bound: r >= goal means value >= r, r < goal means value <= r.
 * `left` is at least 1; `passed`: a PASS now ends the game. When kernel->stopped is set, the result means nothing.
 * all: that no move will reach the goal is expected, so that all must be tried (an all-node; others are cut-nodes: Knuth and Moore
 * 1975, Marsland and Popowich 1985). It decides only what is looked at first. known: the position's slot, or NULL. */
static int decide(Kernel *kernel, Node *node, int left, bool passed, int goal, bool all, const Slot *known)
{
    u32 empty = empty_points(node);
    int margin = margin_of(node), mine = (left + 1) >> 1, theirs = left >> 1, odd = left & 1;
    int best = -99, best_move = NO_MOVE, stored_move = NO_MOVE, lo = -MOST_VALUE, hi = MOST_VALUE;
    u64 nodes_before = kernel->nodes;
    Slot slot;
    Moves moves;
    Node child;

    /* 1. A PASS that ends the game decides: nothing is cheaper to see. */
    kernel->nodes++;
    if (passed && margin >= goal)
        return margin;

    /* 2. The last plies have searches of their own: a table or an order would cost more than it saves. */
    look(&node->opp, empty);
    look(&node->me, empty);
    if (left < TABLE_LEFT)
        return left == 1 ? margin + last_ply(node, empty)
               : left == 2 ? last_two(node, empty, passed, goal)
                           : last_three(kernel, node, empty, passed, goal);

    /* 3. Static bounds before the table, whose line is on its way meanwhile: those that can show what is expected. */
    u32 legal = legal_points(node, empty);
    if (all) {
        hi = most(node->me.stones, &node->opp, empty, mine, theirs, true, odd, goal);
        if (hi < goal)
            return hi;
    } else {
        lo = least_by_taking(node, empty, legal, mine, theirs, odd, goal);
        if (lo >= goal)
            return lo;
    }
    slot = known ? *known : locate(kernel, &node->mine, &node->theirs, node->ko, left, passed);
    __builtin_prefetch(slot.line);
    if (!all) {
        lo = -most(node->opp.stones, &node->me, empty, theirs, mine, false, !odd, 1 - goal);
        if (lo >= goal)
            return lo;
    }

    /* 4. Whether to stop is looked at only where searches are long. */
    if (kernel->nodes >= kernel->next_check && out_of_budget(kernel))
        return goal;

    /* 5. The table: what is proved already, and by which move. */
    u64 entry = probe(&slot);
    if (entry) {
        lo = max(lo, entry_lo(entry));
        hi = min(hi, entry_hi(entry));
        if (lo >= goal)
            return lo;
        if (hi < goal)
            return hi;
        stored_move = image_back(slot.symmetry, entry_move(entry));
    }

    /* 6. The moves, but those that cannot reach the goal by a bound that they have in common. */
    int others = -99;
    if (all)
        legal = needed(node, empty, legal, mine, theirs, odd, goal, &others);
    list_moves(&moves, node, legal);
    if (margin < goal) {
        /* PASS falls short: it ends the game here, or the reply that ends it is a PASS. */
        moves.count--;
        best = margin;
        best_move = PASS;
    }

    /* 7. Ask the table about every child before searching any (enhanced transposition cut-off: Schaeffer and Plaat
     * 1996). */
    bool located = left >= SCAN_LEFT;
    for (int i = 0; located && i < moves.count; i++) {
        moves.slot[i] = locate_child(kernel, node, moves.move[i], moves.taken[i], left);
        __builtin_prefetch(moves.slot[i].line);
    }
    /* Before the answers are needed, as they take a while to arrive. */
    rank_moves(&moves, kernel, node, empty, left, margin < goal);
    for (int i = 0; located && i < moves.count;) {
        entry = probe(&moves.slot[i]);
        if (entry && -entry_hi(entry) >= goal) {
            store(&slot, -entry_hi(entry), hi, moves.move[i], 1);
            return -entry_hi(entry);
        }
        if (entry && -entry_lo(entry) < goal) {
            if (-entry_lo(entry) > best) {
                best = -entry_lo(entry);
                best_move = moves.move[i];
            }
            drop(&moves, i);
        } else {
            i++;
        }
    }

    /* 8. Several workers on one table: leave for later what another is at (simplified ABDADA: Weill
     * 1996, Kerrigan), and mark what this one is at. */
    bool shared = kernel->busy && left >= BUSY_LEFT, first_tried = false;
    if (shared) {
        __atomic_store_n(busy_place(kernel, &slot), busy_tag(&slot), __ATOMIC_RELAXED);
        kernel->open[left] = &slot;
        kernel->goals[left] = goal;
    }

    /* 9. Search the moves, the most promising first, until one reaches the goal. */
    u32 failed = 0;
    while (moves.count) {
        int i = next_move(&moves), move = moves.move[i];
        if (shared && left > BUSY_LEFT && first_tried && moves.rank[i] > -2 * PASS_RANK &&
            is_busy(kernel, &moves.slot[i])) {
            moves.rank[i] -= DEFERRED;
            continue;
        }
        first_tried = true;
        if (move == PASS) {
            play_pass(&child, node);
            if (left > TABLE_LEFT)
                pass_images(&child, node);
        } else {
            play(&child, node, move, moves.taken[i]);
            if (left > TABLE_LEFT)
                play_images(&child, node, move, moves.taken[i]);
        }
        /* Where a first move has failed, and a second, the others will. */
        bool child_all = !all && one_bit_at_most(failed);
        u64 before = kernel->nodes;
        int result = -decide(kernel, &child, left - 1, move == PASS, 1 - goal, child_all, located ? &moves.slot[i] : NULL);
        if (kernel->stopped)
            break;
        if (result > best) {
            best = result;
            best_move = move;
            if (best >= goal) {
                reward(kernel, node, left, margin < goal, move, failed, kernel->nodes - before);
                break;
            }
        }
        failed |= move == PASS ? 0 : BIT(move);
        drop(&moves, i);
    }

    /* 10. Unwind: the mark goes, and a search that another has overtaken ends here with that one's verdict. */
    if (shared) {
        kernel->open[left] = NULL;
        if (is_busy(kernel, &slot))
            __atomic_store_n(busy_place(kernel, &slot), 0, __ATOMIC_RELAXED);
    }
    if (kernel->stopped) {
        if (kernel->overtaken != left)
            return goal;
        kernel->stopped = false;
        kernel->overtaken = 0;
        set_next_check(kernel);
        return kernel->verdict;
    }

    /* 11. Keep what is proved: for the caller if it was dear, and in the table. */
    u64 nodes = kernel->nodes - nodes_before;
    bool dear = kernel->keep_nodes && nodes >= kernel->keep_nodes;
    if (best >= goal) {
        lo = best;
        if (dear)
            put_aside(kernel, node, left, passed, lo, MOST_VALUE, best_move, nodes);
    } else {
        hi = min(hi, max(best, others));
        if (dear)
            put_aside(kernel, node, left, passed, -MOST_VALUE, hi, best_move, nodes);
        /* The move that kept a lower goal says more than the least bad one here. */
        if (stored_move != NO_MOVE)
            best_move = stored_move;
    }
    store(&slot, lo, hi, best_move, nodes);
    return best >= goal ? lo : hi;
}

#endif
