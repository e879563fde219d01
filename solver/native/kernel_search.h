/* Part of kernel.c: decide(), the search. docs/explanation/KERNEL.md explains it. */
#ifndef LITTLE_GO_KERNEL_SEARCH_H
#define LITTLE_GO_KERNEL_SEARCH_H

#include "kernel_bounds.h"
#include "kernel_last_plies.h"
#include "kernel_order.h"
#include "kernel_table.h"
#include "kernel_workers.h"

enum {
    SCAN_LEFT = 6,             /* with fewer plies left, the children are not looked up before the first one is searched */
};

/* Decide whether the mover's value reaches `goal`. The result r is a bound: if r >= goal, the value is r or more; if r < goal, the
 * value is r or less. If kernel->stopped is set afterwards, r means nothing.
 * left: plies left, 1 to MOST_LEFT. passed: whether a PASS now ends the game.
 * all: whether the node is expected to be an all-node, where no move reaches the goal, so that all must be searched. At other
 * nodes, cut-nodes, one move is expected to suffice (Knuth and Moore 1975, Marsland and Popowich 1985). A wrong expectation costs
 * time and changes no result.
 * known: the slot of the position, or NULL if the caller has not located it. */
static int decide(Kernel *kernel, Node *node, int left, bool passed, int goal, bool all, const Slot *known)
{
    u32 empty = empty_points(node);
    int margin = margin_of(node), my_plies = (left + 1) >> 1, their_plies = left >> 1, odd = left & 1;
    int best = -INFINITE, best_move = NO_MOVE, stored_move = NO_MOVE, lo = -MOST_VALUE, hi = MOST_VALUE;
    u64 nodes_before = kernel->nodes;
    Slot slot;
    Moves moves;
    Node child;

    /* 1. If a PASS ends the game and the board reaches the goal, nothing else is needed. The steps below rely on this check, since
     * the bounds of step 3 ignore such a PASS. */
    kernel->nodes++;
    if (passed && margin >= goal)
        return margin;

    /* 2. The last three plies have their own functions, because a table and ranks would cost more there than they save. */
    sort_liberties(&node->opp, empty);
    sort_liberties(&node->me, empty);
    if (left < TABLE_LEFT)
        return left == 1 ? margin + gain_of_last_ply(node, empty)
               : left == 2 ? decide_last_two(node, empty, passed, goal)
                           : decide_last_three(kernel, node, empty, passed, goal);

    /* 3. Static bounds. Only the bound that can confirm the expectation is computed: an upper bound at an all-node, lower bounds at
     * a cut-node. Meanwhile the processor fetches the line of the table. */
    u32 legal = legal_points(node, empty);
    if (all) {
        hi = upper_bound(node->me.stones, &node->opp, empty, my_plies, their_plies, true, odd, goal);
        if (hi < goal)
            return hi;
    } else {
        lo = lower_bound_by_capture(node, empty, legal, my_plies, their_plies, odd, goal);
        if (lo >= goal)
            return lo;
    }
    slot = known ? *known : locate(kernel, &node->me_images, &node->opp_images, node->ko, left, passed);
    __builtin_prefetch(slot.line);
    if (!all) {
        lo = -upper_bound(node->opp.stones, &node->me, empty, their_plies, my_plies, false, !odd, 1 - goal);
        if (lo >= goal)
            return lo;
    }

    /* 4. Check now and then whether the search must stop. With fewer than TABLE_LEFT plies left, step 2 has already returned: such
     * searches are too short to need the check. */
    if (kernel->nodes >= kernel->next_check && must_stop(kernel))
        return goal;

    /* 5. Look the position up in the table, which can have bounds and a move from an earlier search. */
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

    /* 6. List the moves. At an all-node, omit the stones that a common bound excludes. */
    int others = -INFINITE;
    if (all)
        legal = relevant_points(node, empty, legal, my_plies, their_plies, odd, goal, &others);
    list_moves(&moves, node, legal);
    if (margin < goal) {
        /* PASS cannot reach the goal: the game ends with this margin, at once or after a PASS of the opponent. So PASS is not
         * searched, and the margin is its upper bound. */
        moves.count--;
        best = margin;
        best_move = PASS;
    }

    /* 7. Look up all children before searching one (enhanced transposition cut-off: Schaeffer and Plaat 1996). If the entry of a
     * child shows that its move reaches the goal, the search ends. If it shows that the move fails, the move is removed. */
    bool located = left >= SCAN_LEFT;
    for (int i = 0; located && i < moves.count; i++) {
        moves.slot[i] = locate_child(kernel, node, moves.move[i], moves.taken[i], left);
        __builtin_prefetch(moves.slot[i].line);
    }
    /* Rank the moves now, while the lines are fetched. */
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
            remove_move(&moves, i);
        } else {
            i++;
        }
    }

    /* 8. If several workers share the search, mark this position for the others (kernel_workers.h). */
    bool shared = kernel->busy && left >= BUSY_LEFT, first_tried = false;
    if (shared) {
        __atomic_store_n(busy_cell(kernel, &slot), busy_tag(&slot), __ATOMIC_RELAXED);
        kernel->open[left] = &slot;
        kernel->goals[left] = goal;
    }

    /* 9. Search the moves by rank until one reaches the goal. If another worker is searching the position after a move, the move is
     * deferred once. The first move is never deferred, because a search must make progress. */
    u32 failed = 0;
    while (moves.count) {
        int i = best_ranked(&moves), move = moves.move[i];
        if (shared && left > BUSY_LEFT && first_tried && moves.rank[i] > LEAST_RANK &&
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
        /* At a cut-node the positions after the first two moves are expected to be all-nodes. If both moves failed, expect that
         * this node is an all-node after all, and that the positions after its other moves are cut-nodes. */
        bool child_all = !all && one_bit_at_most(failed);
        u64 before = kernel->nodes;
        int result = -decide(kernel, &child, left - 1, move == PASS, 1 - goal, child_all, located ? &moves.slot[i] : NULL);
        if (kernel->stopped)
            break;
        if (result > best) {
            best = result;
            best_move = move;
            if (best >= goal) {
                learn_from(kernel, node, left, margin < goal, move, failed, kernel->nodes - before);
                break;
            }
        }
        failed |= move == PASS ? 0 : BIT(move);
        remove_move(&moves, i);
    }

    /* 10. Remove the mark. If the search is stopped because another worker has decided this position, continue above it with that
     * worker's bound. */
    if (shared) {
        kernel->open[left] = NULL;
        if (is_busy(kernel, &slot))
            __atomic_store_n(busy_cell(kernel, &slot), 0, __ATOMIC_RELAXED);
    }
    if (kernel->stopped) {
        if (kernel->overtaken != left)
            return goal;
        kernel->stopped = false;
        kernel->overtaken = 0;
        set_next_check(kernel);
        return kernel->verdict;
    }

    /* 11. Store what is proven: in the table, and for the caller if it cost keep_nodes or more. */
    u64 nodes = kernel->nodes - nodes_before;
    bool dear = kernel->keep_nodes && nodes >= kernel->keep_nodes;
    if (best >= goal) {
        lo = best;
        if (dear)
            keep_result(kernel, node, left, passed, lo, MOST_VALUE, best_move, nodes);
    } else {
        hi = min(hi, max(best, others));
        if (dear)
            keep_result(kernel, node, left, passed, -MOST_VALUE, hi, best_move, nodes);
        /* No move reaches the goal. Keep the stored move, which may have reached a lower goal, instead of the least bad move of
         * this search. */
        if (stored_move != NO_MOVE)
            best_move = stored_move;
    }
    store(&slot, lo, hi, best_move, nodes);
    return best >= goal ? lo : hi;
}

#endif
