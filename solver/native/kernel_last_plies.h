/* Part of kernel.c: the searches of the last three plies, without table and ranks. */
#ifndef LITTLE_GO_KERNEL_LAST_PLIES_H
#define LITTLE_GO_KERNEL_LAST_PLIES_H

#include "kernel_board.h"

enum {
    MOST_SPOILT = 5,           /* points with an empty neighbour that one stone can change: its own, and the four around it */
};

/* --- the last plies -------------------------------------------------------------------------
 *
 * Most nodes of a search have three plies left or fewer, so these functions count stones where decide() would search.
 *
 * - With one ply left, a stone adds 1 and its captures, and PASS adds nothing. So the best ply is the largest capture.
 * - With two, a stone that captures nothing gains 1, and the reply gains 1 or more if the opponent has a move. Such a stone can
 *   only pay if it saves stones from the reply. So after the captures only those stones are tried.
 * - With three, a stone that captures nothing and threatens nothing leaves the last ply with the captures that exist already.
 *   This limits all such stones at once.
 *
 *     X X . . .     One ply left, X to move. A stone on a captures two O stones, a stone on b captures one, and no other point
 *     O O a . .     captures. So the last ply adds 1 + 2 = 3 to X's margin.
 *     X X . . X
 *     . . . X O
 *     . . . . b
 */

/* Return the largest number of the side's stones that one stone of the other side captures.
 * forbidden: the mask of the point that the ko rule excludes, or 0. Call sort_liberties(side) first. */
static int largest_capture(const Side *side, u32 forbidden)
{
    int best = 0;
    for (u32 points = side->in_atari & ~forbidden; points; points &= points - 1)
        best = max(best, popcount(captured_by(side, lowest_bit(points))));
    return best;
}

/* Return what the best last ply adds to the mover's margin: 1 + its captures, or 0 if only PASS is legal. Call sort_liberties()
 * for both sides first. */
static inline int gain_of_last_ply(const Node *node, u32 empty)
{
    return legal_points(node, empty) ? 1 + largest_capture(&node->opp, node->ko == NO_KO ? 0 : BIT(node->ko)) : 0;
}

/* Return what the opponent's best last ply gains after a stone of the mover that captures `taken`. */
static int gain_of_reply(const Node *node, u32 empty, u32 stone, u32 taken)
{
    Node child;
    play(&child, node, lowest(stone), taken);
    empty = (empty ^ stone) | taken;
    sort_liberties(&child.me, empty);
    sort_liberties(&child.opp, empty);
    return gain_of_last_ply(&child, empty);
}

/* Return the same for a stone that captures nothing. If an empty point with an empty neighbour remains, the opponent has a reply.
 * If every group of the mover in atari touches the stone, the reply can capture only the group that contains the stone. In all
 * other cases the stone is played. */
static inline int gain_of_reply_to_quiet(const Node *node, u32 empty, u32 stone)
{
    u32 near = NEIGHBOURS[lowest(stone)], merged = stone, around = near, left = empty ^ stone;
    if ((node->me.in_atari & ~stone) || !(left & neighbours(left)))
        return gain_of_reply(node, empty, stone, 0);
    if (!one_bit_at_most(near & left))
        return 1;
    Groups alone = lanes_without(&node->me.group, near);
    Groups groups = clear_lanes(&node->me.group, &alone), arounds = clear_lanes(&node->me.around, &alone);
    around |= union_of(&arounds);
    merged |= union_of(&groups);
    return 1 + (one_bit_at_most(around & left) ? popcount(merged) : 0);
}

/* Return the number of liberties of the side's group that has the most. */
static inline int most_liberties(const Side *side)
{
    int most = 0;
    for (int i = 0; i < MAX_GROUPS; i++)
        most = max(most, popcount(side->liberties.at[i]));
    return most;
}

/* Return whether the side has a legal stone after every stone of the other side that captures nothing. Such a stone takes one
 * liberty of each group, so a group with three still has two, and can fill one of them. It also changes at most five points
 * with an empty neighbour: its own and the four around it. Call find_liberties(side) first. */
static inline bool always_has_move(const Side *side, u32 empty)
{
    return popcount(empty & neighbours(empty)) > MOST_SPOILT || most_liberties(side) > 2;
}

/* Decide a position with two plies left, with the result of decide(). The caller has excluded that a PASS of the mover ends the
 * game with `goal` reached. Call sort_liberties() for both sides first. */
static int decide_last_two(const Node *node, u32 empty, bool passed, int goal)
{
    u32 legal = legal_points(node, empty), taking = legal & node->opp.in_atari, saving = legal & ~taking & node->me.in_atari;
    u32 legal_after_pass = (empty & neighbours(empty)) | node->opp.not_in_atari | node->me.in_atari;
    int margin = margin_of(node), threat = largest_capture(&node->me, 0);
    int best = passed ? margin : margin - (legal_after_pass ? 1 + threat : 0);
    for (; best < goal && taking; taking &= taking - 1) {
        u32 stone = lowest_bit(taking), taken = captured_by(&node->opp, stone);
        best = max(best, margin + 1 + popcount(taken) - gain_of_reply(node, empty, stone, taken));
    }
    legal &= ~node->opp.in_atari;
    /* A stone that captures nothing gains 1, and the reply, which always exists here, gains 1 + threat. Only a stone that saves
     * the threatened group prevents that; it results in `margin` at most. */
    if (best < goal && legal && goal > margin - threat && always_has_move(&node->opp, empty)) {
        best = max(best, margin - threat);
        if (goal > margin)
            return saving ? max(best, margin) : best;
        legal = saving;
    }
    legal &= ~saving;
    while (best < goal && (saving || legal)) {
        u32 *points = saving ? &saving : &legal, stone = lowest_bit(*points);
        *points ^= stone;
        best = max(best, margin + 1 - gain_of_reply_to_quiet(node, empty, stone));
    }
    return best;
}

/* Decide a position with three plies left, as decide_last_two(). */
static int decide_last_three(Kernel *kernel, const Node *node, u32 empty, bool passed, int goal)
{
    u32 legal = legal_points(node, empty), opened;
    u32 taking = legal & node->opp.in_atari, saving = legal & ~taking & node->me.in_atari;
    u32 doubles = two_liberty_points(&node->opp), threats = legal & ~taking & ~saving & doubles;
    u32 rest = legal & ~(taking | saving | threats);
    int margin = margin_of(node), best = margin < goal ? margin : -INFINITE;
    Node child;
    /* quiet: the most that a stone reaches if it neither captures nor threatens. It adds 1, and the last ply adds 1 and the
     * largest capture that exists already. The opponent's reply adds 1 if one of its groups has four liberties or more: the mover's
     * stone leaves the group three, the reply fills one of them, and with two left it gives the last ply no new capture. */
    int quiet = margin + 2 + (node->opp.in_atari ? largest_capture(&node->opp, 0) : 0);
    if (quiet == goal && most_liberties(&node->opp) > 3)
        quiet--;
    if (quiet < goal) {
        best = max(best, quiet);
        saving &= doubles;
        rest = 0;
    }
    /* Points next to open space come before the others. */
    opened = rest & neighbours(empty & neighbours(empty));
    rest ^= opened;
    while (taking || saving || threats || opened || rest) {
        u32 *points = taking ? &taking : saving ? &saving : threats ? &threats : opened ? &opened : &rest;
        u32 stone = lowest_bit(*points), taken = stone & node->opp.in_atari ? captured_by(&node->opp, stone) : 0;
        *points ^= stone;
        play(&child, node, lowest(stone), taken);
        u32 left = (empty ^ stone) | taken;
        sort_liberties(&child.me, left);
        sort_liberties(&child.opp, left);
        kernel->nodes++;
        best = max(best, -decide_last_two(&child, left, false, 1 - goal));
        if (best >= goal)
            return best;
    }
    if (margin >= goal && !passed) {
        play_pass(&child, node);
        kernel->nodes++;
        best = max(best, -decide_last_two(&child, empty, true, 1 - goal));
    }
    return best;
}

#endif
