/* Part of kernel.c: the search function decide(). The document docs/explanation/KERNEL.md explains the search. */
#ifndef LITTLE_GO_KERNEL_SEARCH_H
#define LITTLE_GO_KERNEL_SEARCH_H

#include "kernel_bounds.h"
#include "kernel_last_plies.h"
#include "kernel_order.h"
#include "kernel_table.h"
#include "kernel_workers.h"

enum {
    SCAN_LEFT = 6,             /* the smallest number of plies left at which step 7 looks up the positions after all moves */
};

/* Decide whether the mover's value reaches `goal`. The result r is a bound: if r >= goal, the value is r or more; if r < goal, the
 * value is r or less. If kernel->stopped is set after the call, r has no meaning. The number of plies left, `left`, is 1 to
 * MOST_LEFT. The parameter `passed` states whether a PASS of the mover ends the game.
 *
 * The parameter `all` states whether the node is expected to be an all-node, at which no move reaches the goal, so that all moves
 * must be searched. Every other node is expected to be a cut-node, at which one move is enough (Knuth and Moore 1975, Marsland and
 * Popowich 1985). A wrong expectation costs time, but changes no result. The parameter `known` is the slot of the position, or NULL
 * if the caller has not located the slot. */
static int decide(Kernel *kernel, Node *node, int left, bool passed, int goal, bool all, const Slot *known)
{
    u32 empty = empty_points(node);
    int margin = margin_of(node), my_plies = (left + 1) >> 1, their_plies = left >> 1, odd = left & 1;
    int best = -INFINITE, best_move = NO_MOVE, stored_move = NO_MOVE, lo = -MOST_VALUE, hi = MOST_VALUE;
    u64 nodes_before = kernel->nodes;
    Slot slot;
    Moves moves;
    Node child;

    /* 1. If a PASS ends the game and the margin reaches the goal, return the margin. This check comes first because the bounds of
     *   step 3 ignore such a PASS. */
    kernel->nodes++;
    if (passed && margin >= goal)
        return margin;

    /* 2. The last three plies have separate functions, because there a table and ranks would cost more time than they save. */
    sort_liberties(&node->opp, empty);
    sort_liberties(&node->me, empty);
    if (left < TABLE_LEFT)
        return left == 1 ? margin + gain_of_last_ply(node, empty)
               : left == 2 ? decide_last_two(node, empty, passed, goal)
                           : decide_last_three(kernel, node, empty, passed, goal);

    /* 3. Compute static bounds, but only those that can confirm the expectation: an upper bound at an all-node, and lower bounds at
     *   a cut-node. Meanwhile the processor fetches the line of the table. */
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

    /* 4. Check from time to time whether the search must stop. Nodes with fewer than TABLE_LEFT plies left do not need this check,
     *   because their searches are short. */
    if (kernel->nodes >= kernel->next_check && must_stop(kernel))
        return goal;

    /* 5. Look up the position in the table, which can contain bounds and a move from an earlier search. */
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
        /* PASS cannot reach the goal, because the game then ends with this margin, either at once or after a PASS of the
         * opponent. So PASS is not searched, and the margin is an upper bound on its value. */
        moves.count--;
        best = margin;
        best_move = PASS;
    }

    /* 7. Look up the positions after all moves before searching a move (enhanced transposition cut-off: Schaeffer and Plaat
     *   1996). If a table entry shows that a move reaches the goal, the search ends. If a table entry shows that a move fails,
     *   the move is removed. */
    bool located = left >= SCAN_LEFT;
    for (int i = 0; located && i < moves.count; i++) {
        moves.slot[i] = locate_child(kernel, node, moves.move[i], moves.taken[i], left);
        __builtin_prefetch(moves.slot[i].line);
    }
    /* Rank the moves while the processor fetches the lines of the table. */
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

    /* 9. Search the moves in the order of their ranks until a move reaches the goal. If another worker is searching the position
     *   after a move, defer the move once. The first move is never deferred, because a search must make progress. */
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
        /* At a cut-node the positions after the first two moves are expected to be all-nodes. If both moves fail, this node is
         * probably an all-node, so the positions after the other moves are expected to be cut-nodes. */
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

    /* 10. Remove the mark. If the search was stopped because another worker has decided this position, return the other worker's
     *   bound, and let the search of the parent continue. */
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

    /* 11. Store the proven bound in the table. If the search for this bound took keep_nodes nodes or more, also store the bound for
     *   the caller. */
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
