/* Part of kernel.c: the searches of the last three plies, which use neither the table nor ranks. */
#ifndef LITTLE_GO_KERNEL_LAST_PLIES_H
#define LITTLE_GO_KERNEL_LAST_PLIES_H

#include "kernel_board.h"

enum {
    MOST_SPOILT = 5,           /* the largest number of empty points that one stone can fill or leave without empty neighbour */
};

/* --- the last plies -------------------------------------------------------------------------
 *
 * Most nodes of a search have three plies left or fewer. The functions below decide these nodes by counting stones, which is
 * cheaper than the steps of decide(). A stone is called quiet if it captures nothing.
 *
 * - With one ply left, a stone gains 1 plus the number of captured stones, and PASS gains nothing. So the best ply is the largest
 *   capture.
 * - With two plies left, a quiet stone gains 1, and the opponent's reply gains 1 plus the number of captured stones. So the
 *   results of quiet stones differ only if some of them save stones from the reply. If the opponent certainly has a reply, only
 *   stones that capture or save stones are tried.
 * - With three plies left, a quiet stone that puts no group in atari creates no capture for the mover's last ply. So all such
 *   stones share one upper bound.
 *
 *     X X . . .     One ply is left, and X moves. A stone on a captures two O stones, a stone on b captures one O stone, and no
 *     O O a . .     other stone captures. So the last ply adds 1 + 2 = 3 to X's margin.
 *     X X . . X
 *     . . . X O
 *     . . . . b
 */

/* Return the largest number of the side's stones that one stone of the other side can capture. The mask `forbidden` contains the
 * point that the ko rule forbids, or is 0. Call sort_liberties(side) first. */
static int largest_capture(const Side *side, u32 forbidden)
{
    int best = 0;
    for (u32 points = side->in_atari & ~forbidden; points; points &= points - 1)
        best = max(best, popcount(captured_by(side, lowest_bit(points))));
    return best;
}

/* Return the number that the best last ply adds to the mover's margin: 1 plus the size of the largest capture, or 0 if only PASS
 * is legal. Call sort_liberties() for both sides first. */
static inline int gain_of_last_ply(const Node *node, u32 empty)
{
    return legal_points(node, empty) ? 1 + largest_capture(&node->opp, node->ko == NO_KO ? 0 : BIT(node->ko)) : 0;
}

/* Return the gain of the opponent's best last ply after a stone of the mover that captures the stones `taken`. */
static int gain_of_reply(const Node *node, u32 empty, u32 stone, u32 taken)
{
    Node child;
    play(&child, node, lowest(stone), taken);
    empty = (empty ^ stone) | taken;
    sort_liberties(&child.me, empty);
    sort_liberties(&child.opp, empty);
    return gain_of_last_ply(&child, empty);
}

/* Return the gain of the opponent's best last ply after a quiet stone of the mover. If two conditions hold, the function does not
 * play the stone, which is faster. First, an empty point with an empty neighbour remains, so the opponent has a reply. Second, the
 * stone fills the only liberty of every group of the mover in atari, so the reply can capture only the group that contains the
 * stone. */
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

/* Return the largest number of liberties of a group of the side. */
static inline int most_liberties(const Side *side)
{
    int most = 0;
    for (int i = 0; i < MAX_GROUPS; i++)
        most = max(most, popcount(side->liberties.at[i]));
    return most;
}

/* Return whether the side certainly has a legal stone after any quiet stone of the other side. One of two conditions is enough. If
 * a group has three liberties, the quiet stone takes at most one of these liberties, and the side can fill one of the other two. If
 * more than MOST_SPOILT empty points have an empty neighbour, the quiet stone cannot spoil all of these points. Call
 * find_liberties(side) first. */
static inline bool always_has_move(const Side *side, u32 empty)
{
    return popcount(empty & neighbours(empty)) > MOST_SPOILT || most_liberties(side) > 2;
}

/* Decide a position with two plies left, and return a bound as decide() does. The caller must check whether a PASS of the mover
 * ends the game and reaches `goal`, because this function does not check it. Call sort_liberties() for both sides first. */
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
    /* A quiet stone gains 1, and the opponent certainly has a reply, which gains 1 + threat or more. Only a stone that saves the
     * threatened group can prevent this gain, and even then the result is at most `margin`. */
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

/* Decide a position with three plies left. The result and the duties of the caller are the same as for decide_last_two(). */
static int decide_last_three(Kernel *kernel, const Node *node, u32 empty, bool passed, int goal)
{
    u32 legal = legal_points(node, empty), opened;
    u32 taking = legal & node->opp.in_atari, saving = legal & ~taking & node->me.in_atari;
    u32 doubles = two_liberty_points(&node->opp), threats = legal & ~taking & ~saving & doubles;
    u32 rest = legal & ~(taking | saving | threats);
    int margin = margin_of(node), best = margin < goal ? margin : -INFINITE;
    Node child;
    /* The variable `harmless` is an upper bound on the result of a quiet stone that puts no group in atari. The stone adds 1, and
     * the mover's last ply adds 1 plus the size of the largest capture that exists already. If a group of the opponent has four
     * liberties or more, the opponent's reply can always add a stone: the mover's stone leaves the group at least three liberties,
     * the reply fills one of them, and the last ply cannot capture a group with two liberties. */
    int harmless = margin + 2 + (node->opp.in_atari ? largest_capture(&node->opp, 0) : 0);
    if (harmless == goal && most_liberties(&node->opp) > 3)
        harmless--;
    if (harmless < goal) {
        best = max(best, harmless);
        saving &= doubles;
        rest = 0;
    }
    /* First try the points next to an empty point that has an empty neighbour. */
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
