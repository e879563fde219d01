/* The kernel's static bounds: what a side can reach, by counting plies and liberties. Part of kernel.c. */
#ifndef LITTLE_GO_KERNEL_BOUNDS_H
#define LITTLE_GO_KERNEL_BOUNDS_H

#include "kernel_board.h"

enum {
    OUT_OF_REACH = 0x3FFFFFF,  /* more points than there are plies */
};

/* --- static bounds --------------------------------------------------------------------------
 *
 * Any fixed way for one side to play bounds what the other can reach. The bound below lets the
 * keeper (who wants to keep stones) do no more than pass, extend and fill what stands for good, and
 * save one group; the attacker has `plies` plies to come, the keeper `replies`. Then:
 *
 * - Taking a group costs the attacker a ply for each of its liberties, taking several a ply for
 *   each point of their union; a group with two one-point eyes of its own is never taken.
 * - A group with more liberties than the attacker has plies stands for good. Its liberties can be
 *   filled while more than the attacker's remaining plies are left: L - plies - 1 stones for
 *   certain, groups that share liberties counting them once.
 * - When several groups stand, the attacker cannot starve them all. Let the keeper fill with its
 *   last f plies; when the attacker has r plies left after a fill, a group with r + 2
 *   liberties is needed for it, and by the pigeonhole principle there is one if the groups
 *   together have more than r + 1 each. (Passing before that does not end the game to
 *   the keeper's harm: an attacker who passes too has given up f + 1 stones or more.)
 * - Plies that the attacker spends on taking groups elsewhere starve nobody. The keeper need not
 *   know which: filling as soon as it is safe adds as many stones as any plan that knows.
 * - A liberty next to an empty point that is no liberty yet is a pair with that point. A stone on it
 *   costs the groups no liberty. Pairs without a common point are spoilt one by one, so the keeper, extending with
 *   its first plies, gets every other of them.
 * - A group in reach can be saved by the keeper's first reply at a liberty that gives it more
 *   liberties than the attacker then has plies; if the attacker moves first, two such
 *   liberties are needed, and one more liberty each for the attacker's move there.
 */

typedef struct {
    int plies, replies;         /* the attacker's, and the keeper's */
    bool first, last;           /* whether the attacker has the first, the last of them */
    int targets;                /* groups of the keeper within the attacker's reach */
    u32 liberties[MAX_GROUPS];  /* of each target */
    int stones[MAX_GROUPS];     /* of each target */
    int standing;               /* groups that stand for their liberties */
    int free;                   /* liberties of the standing groups together */
    int spared;                 /* those that they can fill one by one */
    int pairs;                  /* of those that can be extended from, and the points they lead to */
    u32 ground;                 /* the liberties of the standing groups, and the points they lead to */
} Siege;

/* Whether two of the one-point eyes are the group's alone. */
static bool has_two_eyes(u32 group, u32 eyes)
{
    int found = 0;
    for (; eyes; eyes &= eyes - 1)
        found += !(NEIGHBOURS[lowest(eyes)] & ~group);
    return found > 1;
}

/* Sort the keeper's groups into targets and standing ones; return the stones of the targets. */
static inline int lay_siege(Siege *siege, u32 attacker, const Side *side, u32 empty)
{
    u32 eyes = empty & ~neighbours(empty | attacker), counted = 0;
    int in_reach = 0;
    siege->targets = siege->standing = siege->spared = siege->pairs = 0;
    siege->ground = 0;
    for (int i = 0; i < MAX_GROUPS; i++) {
        u32 liberties = side->liberties.at[i];
        if (popcount(liberties) > siege->plies) {
            int spared = popcount(liberties & ~counted) - siege->plies - 1;
            siege->standing++;
            siege->ground |= liberties;
            if (spared > 0) {
                siege->spared += spared;
                counted |= liberties;
            }
        } else if (liberties && !((liberties & eyes) && has_two_eyes(side->group.at[i], liberties & eyes))) {
            siege->liberties[siege->targets] = liberties;
            siege->stones[siege->targets] = popcount(side->group.at[i]);
            in_reach += siege->stones[siege->targets++];
        }
    }
    siege->free = popcount(siege->ground);
    return in_reach;
}

/* Find points next to the standing groups' liberties, each for a liberty of its own. */
static inline void find_pairs(Siege *siege, u32 empty)
{
    u32 beyond = neighbours(siege->ground) & empty & ~siege->ground, unpaired = beyond;
    for (u32 rest = siege->ground; rest && unpaired; rest &= rest - 1) {
        u32 near = NEIGHBOURS[lowest(rest)] & unpaired;
        siege->pairs += near != 0;
        unpaired &= ~lowest_bit(near);
    }
    siege->ground |= beyond;
}

/* How many of `free` liberties the keeper can fill for certain, `fills` at least, when the attacker spends `spent` plies
 * elsewhere. */
static inline int certain_fills(const Siege *siege, int free, int replies, int spent, int fills)
{
    while (fills < replies) {
        /* One more? Then the i-th fill from now leaves the attacker r plies. */
        for (int i = 0, r = siege->last + fills; i <= fills; i++, r--)
            if (free - i - (siege->plies - max(r, spent)) <= (r + 1) * siege->standing)
                return fills;
        fills++;
    }
    return replies;
}

/* How many stones the keeper can add to the standing groups for certain.
 * used: how many of their liberties and pairs the keeper has used up. */
static inline int certain_growth(const Siege *siege, int replies, bool attacker_first, int spent, int used)
{
    int extensions = min((siege->pairs - used + !attacker_first) >> 1, replies), free = siege->free - used;
    if (!siege->standing)
        return 0;
    if (extensions <= 0)
        return certain_fills(siege, free, replies, spent, max(siege->spared - used, 0));
    return extensions + certain_fills(siege, free, replies - extensions, spent, 0);
}

/* The most that the keeper loses on balance, stones taken less stones added, when it has lost `lost` to stones on
 * `filled`, and the targets from `next` on can be taken besides; if that is more than `enough`, only that it is so. */
static int balance(const Siege *siege, int replies, bool attacker_first, int used, int next, u32 filled, int lost, int enough)
{
    int most = lost - certain_growth(siege, replies, attacker_first, popcount(filled & ~siege->ground), used);
    for (int i = next; i < siege->targets && most <= enough; i++) {
        u32 with = filled | siege->liberties[i];
        if (popcount(with) <= siege->plies)
            most = max(most, balance(siege, replies, attacker_first, used, i + 1, with, lost + siege->stones[i], enough));
    }
    return most;
}

/* Whether the keeper loses no more than `enough` on balance if its first reply saves one of the targets. */
static bool is_saved(Siege *siege, u32 empty, int enough)
{
    bool saved = false;
    for (int i = 0; i < siege->targets && !saved; i++) {
        u32 liberties = siege->liberties[i];
        int ways = 0;
        for (u32 rest = liberties; rest; rest &= rest - 1) {
            u32 liberty = lowest_bit(rest);
            ways += popcount((liberties | (NEIGHBOURS[lowest(liberty)] & empty)) & ~liberty) > siege->plies;
        }
        if (ways > siege->first) {
            /* The reply may stand on a liberty or a pair, and an attacker who was first may have spoilt a pair. */
            int used = !!(liberties & siege->ground) + siege->first;
            siege->liberties[i] = OUT_OF_REACH;
            saved = balance(siege, siege->replies - 1, true, used, 0, 0, 0, enough + 1) <= enough + 1;
            siege->liberties[i] = liberties;
        }
    }
    return saved;
}

/* The most, stones attacker - side, that the attacker can reach; as sharp as telling it from `goal` needs.
 * attacker: its stones. first, last: whether it has the first, the last of the plies left. */
static int most(u32 attacker, const Side *side, u32 empty, int plies, int replies, bool first, bool last, int goal)
{
    int stones = popcount(side->stones), placed = popcount(attacker) + plies;
    /* Nothing here proves more than that all stones stay and all replies add one. */
    if (placed - stones - replies >= goal)
        return min(placed, MOST_VALUE);

    Siege siege = {.plies = plies, .replies = replies, .first = first, .last = last};
    int in_reach = lay_siege(&siege, attacker, side, empty);
    int growth = siege.standing ? certain_fills(&siege, siege.free, replies, 0, min(siege.spared, replies)) : 0;
    /* A side that stands keeps a liberty: so many stones are the most on the board. */
    #define BOUND(safe) (min(placed, MOST_VALUE - (safe)) - (safe))
    int safe = stones - in_reach + growth, needed = min(placed - goal, (MOST_VALUE - goal) >> 1) + 1;
    if (safe >= needed || (growth == replies && !siege.targets))
        return BOUND(safe);

    if (siege.standing) {
        find_pairs(&siege, empty);
        growth = certain_growth(&siege, replies, first, 0, 0);
        safe = max(safe, stones - in_reach + growth);
    }
    if (!siege.targets || safe >= needed)
        return BOUND(safe);
    /* What is not taken grows no more than that: often it shows beforehand that the goal is out of these bounds' reach. */
    int enough = stones - needed, lost = -growth <= enough ? balance(&siege, replies, first, 0, 0, 0, 0, enough) : 99;
    if (lost <= enough)
        return BOUND(stones - lost);
    return replies && -growth <= enough + 1 && is_saved(&siege, empty, enough) ? BOUND(needed) : BOUND(safe);
    #undef BOUND
}

/* The most that the attacker can reach after a ply that takes nothing and changes of what stands at most a liberty or a pair.
 * plies: those after it. first: whether the next ply is the attacker's. */
static inline int most_after_quiet(u32 attacker, const Side *side, u32 empty, int plies, int replies, bool first, bool last)
{
    int placed = popcount(attacker) + 1 + plies;
    Siege siege = {.plies = plies, .replies = replies, .first = first, .last = last};
    lay_siege(&siege, attacker, side, empty);
    if (siege.standing)
        find_pairs(&siege, empty);
    int safe = popcount(side->stones) - balance(&siege, replies, first, 1, 0, 0, 0, 99);
    return min(placed, MOST_VALUE - safe) - safe;
}

/* The liberties of the groups that have so many at most. */
static inline u32 reached(const Side *side, int liberties)
{
    u32 reach = 0;
    for (int i = 0; i < MAX_GROUPS; i++)
        reach |= popcount(side->liberties.at[i]) <= liberties ? side->liberties.at[i] : 0;
    return reach;
}

/* The points, of `legal`, that the mover has to try: it is proved in common that no other stone reaches the goal. Then `others`
 * becomes a bound on what those others reach; else it stays.
 * mine, theirs: plies of the mover and of the opponent. last: whether the mover has the last.
 *
 * Whatever the mover plays, the opponent may pass, or take what is in atari. Take a stone of the mover that takes nothing, and
 * stands neither on the point of that reply nor on a liberty of a group that the mover's plies could take after it. It does not
 * hinder the reply: what is taken has no other liberty for it to join, and without a capture there is no ko. Of what stands
 * after the reply it spoils a liberty or a pair at most. */
static u32 needed(const Node *node, u32 empty, u32 legal, int mine, int theirs, bool last, int goal, int *others)
{
    int least = -99;
    if (margin_of(node) + mine - theirs < goal) {
        int bound = most_after_quiet(node->me.stones, &node->opp, empty, mine - 1, theirs, false, last);
        if (bound < goal) {
            legal &= reached(&node->opp, mine);
            least = bound;
        }
    }
    for (u32 replies = node->me.one; replies && legal; replies &= replies - 1) {
        Side after;
        u32 reply = lowest_bit(replies), taken = captures(&node->me, reply), left = (empty ^ reply) | taken;
        join(&after, &node->opp, lowest(reply));
        find_liberties(&after, left);
        int bound = most_after_quiet(node->me.stones ^ taken, &after, left, mine - 1, theirs - 1, true, last);
        if (bound < goal) {
            legal &= reply | node->opp.one | reached(&after, mine);
            least = max(least, bound);
        }
    }
    if (least > -99)
        *others = least;
    return legal;
}

/* The least that the mover reaches by some stone that takes something, as far as static bounds tell at once; -99 where they do not
 * tell that it reaches the goal. */
static int least_by_taking(const Node *node, u32 empty, u32 legal, int mine, int theirs, bool last, int goal)
{
    for (u32 taking = legal & node->opp.one; taking; taking &= taking - 1) {
        Side after;
        u32 stone = lowest_bit(taking), taken = captures(&node->opp, stone), left = (empty ^ stone) | taken;
        join(&after, &node->me, lowest(stone));
        find_liberties(&after, left);
        int bound = most(node->opp.stones ^ taken, &after, left, theirs, mine - 1, true, !last, 1 - goal);
        if (bound < 1 - goal)
            return -bound;
    }
    return -99;
}

#endif
