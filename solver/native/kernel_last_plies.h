/* The kernel's searches of the last three plies. Part of kernel.c. */
#ifndef LITTLE_GO_KERNEL_LAST_PLIES_H
#define LITTLE_GO_KERNEL_LAST_PLIES_H

#include "kernel_board.h"

/* --- the last plies ------------------------------------------------------------------------- */

/* The most stones of `side` that one stone of its opponent takes; look() before. */
static int dearest(const Side *side, u32 forbidden)
{
    int best = 0;
    for (u32 points = side->one & ~forbidden; points; points &= points - 1)
        best = max(best, popcount(captures(side, lowest_bit(points))));
    return best;
}

/* What the last ply of the game adds to the mover's margin: 0 for PASS, else 1 + the captures; look() before. */
static inline int last_ply(const Node *node, u32 empty)
{
    return legal_points(node, empty) ? 1 + dearest(&node->opp, node->ko == NO_KO ? 0 : BIT(node->ko)) : 0;
}

/* What the opponent's last ply adds after a stone of the mover that takes `taken`. */
static int reply_after(const Node *node, u32 empty, u32 stone, u32 taken)
{
    Node child;
    play(&child, node, lowest(stone), taken);
    empty = (empty ^ stone) | taken;
    look(&child.me, empty);
    look(&child.opp, empty);
    return last_ply(&child, empty);
}

/* The same for a stone that takes nothing: mostly, it leaves room for the reply and none of the mover's groups in
 * atari but its own. */
static inline int quiet_reply_after(const Node *node, u32 empty, u32 stone)
{
    u32 near = NEIGHBOURS[lowest(stone)], merged = stone, around = near, left = empty ^ stone;
    if ((node->me.one & ~stone) || !(left & neighbours(left)))
        return reply_after(node, empty, stone, 0);
    if (!one_bit_at_most(near & left))
        return 1;
    Groups alone = apart(&node->me.group, near);
    Groups groups = but(&node->me.group, &alone), arounds = but(&node->me.around, &alone);
    around |= united(&arounds);
    merged |= united(&groups);
    return 1 + (one_bit_at_most(around & left) ? popcount(merged) : 0);
}

static inline int most_liberties(const Side *side)
{
    int most = 0;
    for (int i = 0; i < MAX_GROUPS; i++)
        most = max(most, popcount(side->liberties.at[i]));
    return most;
}

/* Whether a side has a move whatever stone the other side plays, if that takes nothing; look() before. */
static inline bool is_never_stuck(const Side *side, u32 empty)
{
    return popcount(empty & neighbours(empty)) > 5 || most_liberties(side) > 2;
}

/* With two plies left, whether the mover's value reaches `goal`, as decide() tells it; look() before. */
static int last_two(const Node *node, u32 empty, bool passed, int goal)
{
    u32 legal = legal_points(node, empty), taking = legal & node->opp.one, saving = legal & ~taking & node->me.one;
    u32 legal_after_pass = (empty & neighbours(empty)) | node->opp.more | node->me.one;
    int margin = margin_of(node), threat = dearest(&node->me, 0);
    int best = passed ? margin : margin - (legal_after_pass ? 1 + threat : 0);
    for (; best < goal && taking; taking &= taking - 1) {
        u32 stone = lowest_bit(taking), taken = captures(&node->opp, stone);
        best = max(best, margin + 1 + popcount(taken) - reply_after(node, empty, stone, taken));
    }
    legal &= ~node->opp.one;
    /* A stone that takes nothing is outweighed by the reply's, and only one in its place saves a group. */
    if (best < goal && legal && goal > margin - threat && is_never_stuck(&node->opp, empty)) {
        best = max(best, margin - threat);
        if (goal > margin)
            return saving ? max(best, margin) : best;
        legal = saving;
    }
    legal &= ~saving;
    while (best < goal && (saving || legal)) {
        u32 *points = saving ? &saving : &legal, stone = lowest_bit(*points);
        *points ^= stone;
        best = max(best, margin + 1 - quiet_reply_after(node, empty, stone));
    }
    return best;
}

/* The same with three plies left. */
static int last_three(Kernel *kernel, const Node *node, u32 empty, bool passed, int goal)
{
    u32 legal = legal_points(node, empty), opened;
    u32 taking = legal & node->opp.one, saving = legal & ~taking & node->me.one;
    u32 doubles = doubles_of(&node->opp), threats = legal & ~taking & ~saving & doubles;
    u32 rest = legal & ~(taking | saving | threats);
    int margin = margin_of(node), best = margin < goal ? margin : -99;
    Node child;
    /* A stone that neither takes nor threatens leaves what can be taken already to the last ply, and the opponent adds one where a
     * group has liberties enough. */
    int quiet = margin + 2 + (node->opp.one ? dearest(&node->opp, 0) : 0);
    if (quiet == goal && most_liberties(&node->opp) > 3)
        quiet--;
    if (quiet < goal) {
        best = max(best, quiet);
        saving &= doubles;
        rest = 0;
    }
    opened = rest & neighbours(empty & neighbours(empty));
    rest ^= opened;
    while (taking || saving || threats || opened || rest) {
        u32 *points = taking ? &taking : saving ? &saving : threats ? &threats : opened ? &opened : &rest;
        u32 stone = lowest_bit(*points), taken = stone & node->opp.one ? captures(&node->opp, stone) : 0;
        *points ^= stone;
        play(&child, node, lowest(stone), taken);
        u32 left = (empty ^ stone) | taken;
        look(&child.me, left);
        look(&child.opp, left);
        kernel->nodes++;
        best = max(best, -last_two(&child, left, false, 1 - goal));
        if (best >= goal)
            return best;
    }
    if (margin >= goal && !passed) {
        play_pass(&child, node);
        kernel->nodes++;
        best = max(best, -last_two(&child, empty, true, 1 - goal));
    }
    return best;
}

#endif
