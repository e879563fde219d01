/* Part of kernel.c: static bounds on a position's value, which count plies and liberties instead of searching. */
#ifndef LITTLE_GO_KERNEL_BOUNDS_H
#define LITTLE_GO_KERNEL_BOUNDS_H

#include "kernel_board.h"

enum {
    OUT_OF_REACH = 0x3FFFFFF,  /* the mask that replaces the liberties of a rescued group; it has more bits than plies are left */
};

/* --- static bounds --------------------------------------------------------------------------
 *
 * If one side follows a fixed strategy, the best result of the other side against this strategy is a bound on the value of the
 * position. Here the keeper follows the strategy, and the attacker may play any moves. The attacker has `plies` plies left, and
 * the keeper has `replies` plies left. The keeper passes, or adds stones to groups that cannot be captured. Its first reply can
 * also rescue a group.
 *
 * In the example X is the attacker and moves first, O is the keeper, and each side has two plies left:
 *
 *     a b c d e     The upper O group has four liberties, a to d. Two plies cannot fill them: the group is standing. Three
 *     O O O O X     liberties (plies + 1) are enough for that, so one is spared: O can fill it whatever X does.
 *     X X X X X     d and e are a pair: a stone on d takes away one liberty and adds another, e.
 *     O X . . .     The lower O stone has one liberty, f. It is a target, because X has the plies to capture it.
 *     f X . . .
 *
 * If X plays both plies on a to d, O still adds one stone. If X plays on f, X captures one stone, but has only one ply left for a
 * to d, so O adds two stones. In both cases O gains one stone on balance. At the end O has at least 5 + 1 stones, and X has at
 * most 8 + 2 stones. So X's margin is at most 4, which is also the exact value.
 *
 * - Capturing. To capture groups, the attacker needs one ply for each point in the union of their liberties. A group with two
 *   one-point eyes of its own is never captured.
 * - Standing. A group with more than `plies` liberties cannot be captured. The keeper must leave the group plies + 1 liberties,
 *   and can fill the others. A liberty that several groups share counts once.
 * - Filling. If several groups are standing, the attacker cannot surround all of them. Suppose that the keeper fills liberties
 *   with its last f plies, and that the attacker has r plies left after one of these fills. The fill is safe in a group that has
 *   r + 2 liberties before the fill, because r + 1 liberties remain, and the attacker can fill only r of them. By the pigeonhole
 *   principle there is such a group if the standing groups together have more than (r + 1) * standing liberties. Before its last
 *   f plies the keeper passes. If the attacker then passes too, the game ends, so the keeper forgoes f fills. But the attacker
 *   forgoes at least f plies, each of which would add a stone. So the attacker gains nothing if it passes.
 * - Elsewhere. The ground is the set of all liberties of standing groups and of all empty points next to these
 *   liberties. If the attacker fills a target's liberty outside the ground, this ply costs the standing groups nothing. The
 *   keeper does not need to foresee such plies: if the keeper fills a liberty as soon as a fill is safe, it adds as many stones
 *   as with foresight.
 * - Extending. A liberty of a group and an adjacent empty point that is not yet a liberty form a pair. If the keeper plays on the
 *   liberty, the other point becomes a liberty, so the group keeps its number of liberties. Each ply of the attacker spoils at
 *   most one pair. So a keeper who extends before filling can use half of the pairs, and one more if the number of pairs is odd
 *   and the keeper moves first.
 * - Rescuing. The keeper's first reply can rescue one target if it fills a liberty of the target and leaves it more than `plies`
 *   liberties. If the attacker moves first, it can occupy this liberty, so the target must have two such liberties. Or the
 *   attacker can take one of the new liberties, so that at least `plies` liberties remain. Even then the group is safe, because
 *   the attacker has only plies - 1 plies left.
 */

typedef struct {
    int plies, replies;         /* the number of plies left for the attacker, and for the keeper */
    bool first, last;           /* whether the attacker plays the first ply, and the last ply, of the rest of the game */
    int targets;                /* the number of the keeper's groups that the attacker has enough plies to capture */
    u32 liberties[MAX_GROUPS];  /* the liberties of each target */
    int stones[MAX_GROUPS];     /* the number of stones of each target */
    int standing;               /* the number of the keeper's groups that have more liberties than the attacker has plies */
    int free;                   /* the number of liberties of all standing groups; a shared liberty counts once */
    int spared;                 /* the number of liberties that the keeper can fill whatever the attacker does */
    int pairs;                  /* the number of disjoint pairs of a standing group's liberty and an empty point next to it */
    u32 ground;                 /* the liberties of the standing groups; find_pairs() adds the empty points next to them */
} Siege;

/* Return whether the group alone surrounds at least two of the one-point eyes `eyes`. */
static bool has_two_eyes(u32 group, u32 eyes)
{
    int found = 0;
    for (; eyes; eyes &= eyes - 1)
        found += !(NEIGHBOURS[lowest(eyes)] & ~group);
    return found > 1;
}

/* Sort the keeper's groups into targets and standing groups, and return the number of stones in all targets. A group with two
 * eyes is not a target even if it has few liberties. Before the call, set siege->plies and call find_liberties(side). */
static inline int lay_siege(Siege *siege, u32 attacker, const Side *side, u32 empty)
{
    u32 eyes = empty & ~neighbours(empty | attacker), counted = 0;
    int at_risk = 0;
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
            at_risk += siege->stones[siege->targets++];
        }
    }
    siege->free = popcount(siege->ground);
    return at_risk;
}

/* Match liberties of the standing groups greedily with adjacent empty points that are not liberties, so that each point is in at
 * most one pair. Count the pairs, and add all of these empty points to the ground, whether or not they are in a pair. */
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

/* Return how many of `free` liberties the keeper can certainly fill with its last `replies` plies. The attacker spends `spent`
 * plies elsewhere. At least `fills` fills are already known to be certain. */
static inline int certain_fills(const Siege *siege, int free, int replies, int spent, int fills)
{
    while (fills < replies) {
        /* Check whether the keeper can certainly use its last fills + 1 plies as fills, numbered from 0. After fill i the
         * attacker has r plies left. The attacker spends `spent` of its plies elsewhere, so before fill i at most
         * plies - max(r, spent) of its plies have taken a liberty. */
        for (int i = 0, r = siege->last + fills; i <= fills; i++, r--)
            if (free - i - (siege->plies - max(r, spent)) <= (r + 1) * siege->standing)
                return fills;
        fills++;
    }
    return replies;
}

/* Return how many stones the keeper can certainly add to the standing groups, first by extensions and then by fills. The
 * parameter `used` is both the number of liberties and the number of pairs that are no longer available. */
static inline int certain_growth(const Siege *siege, int replies, bool attacker_first, int spent, int used)
{
    int extensions = min((siege->pairs - used + !attacker_first) >> 1, replies), free = siege->free - used;
    if (!siege->standing)
        return 0;
    if (extensions <= 0)
        return certain_fills(siege, free, replies, spent, max(siege->spared - used, 0));
    return extensions + certain_fills(siege, free, replies - extensions, spent, 0);
}

/* Return the keeper's largest net loss, which is captured stones minus added stones, over all sets of targets that the attacker
 * has enough plies to capture. The recursion has already chosen targets with `lost` stones and the liberties `filled`, and can
 * add targets whose index is `next` or more. If the net loss is above `enough`, the result is any number above
 * `enough`. */
static int net_loss(const Siege *siege, int replies, bool attacker_first, int used, int next, u32 filled, int lost, int enough)
{
    int worst = lost - certain_growth(siege, replies, attacker_first, popcount(filled & ~siege->ground), used);
    for (int i = next; i < siege->targets && worst <= enough; i++) {
        u32 with = filled | siege->liberties[i];
        if (popcount(with) <= siege->plies)
            worst = max(worst, net_loss(siege, replies, attacker_first, used, i + 1, with, lost + siege->stones[i], enough));
    }
    return worst;
}

/* Return whether the keeper's net loss is at most `enough` if its first reply rescues a target. */
static bool rescue_suffices(Siege *siege, u32 empty, int enough)
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
            /* The rescuing stone can use up one liberty or pair of the standing groups, and so can the attacker's first ply. The
             * rescuing stone itself is one more stone of the keeper, so the keeper may lose enough + 1 stones elsewhere. */
            int used = !!(liberties & siege->ground) + siege->first;
            siege->liberties[i] = OUT_OF_REACH;
            saved = net_loss(siege, siege->replies - 1, true, used, 0, 0, 0, enough + 1) <= enough + 1;
            siege->liberties[i] = liberties;
        }
    }
    return saved;
}

/* Return an upper bound on the attacker's final margin, which is its stones minus the keeper's stones. The bound is only as sharp
 * as is needed to show whether it is below `goal`. The parameters `attacker` and `side` describe the stones of the attacker and
 * of the keeper. The parameters `plies`, `replies`, `first` and `last` have the same meaning as in Siege. Call
 * find_liberties(side) first. The bound ignores that the attacker's first ply can be a PASS that ends the game, so the caller
 * must check this case. */
static int upper_bound(u32 attacker, const Side *side, u32 empty, int plies, int replies, bool first, bool last, int goal)
{
    int stones = popcount(side->stones), placed = popcount(attacker) + plies;
    /* In the keeper's best case all of its stones survive, and each reply adds a stone. If this case cannot exclude the goal,
     * stop. */
    if (placed - stones - replies >= goal)
        return min(placed, MOST_VALUE);

    Siege siege = {.plies = plies, .replies = replies, .first = first, .last = last};
    int at_risk = lay_siege(&siege, attacker, side, empty);
    int growth = siege.standing ? certain_fills(&siege, siege.free, replies, 0, min(siege.spared, replies)) : 0;
    /* `safe` is the number of stones that the keeper certainly has at the end. A board has at most MOST_VALUE stones, because
     * every group has a liberty, so the attacker has at most MOST_VALUE - safe stones. `needed` is the smallest value of `safe`
     * that excludes the goal. */
    #define BOUND(safe) (min(placed, MOST_VALUE - (safe)) - (safe))
    int safe = stones - at_risk + growth, needed = min(placed - goal, (MOST_VALUE - goal) >> 1) + 1;
    if (safe >= needed || (growth == replies && !siege.targets))
        return BOUND(safe);

    if (siege.standing) {
        find_pairs(&siege, empty);
        growth = certain_growth(&siege, replies, first, 0, 0);
        safe = max(safe, stones - at_risk + growth);
    }
    if (!siege.targets || safe >= needed)
        return BOUND(safe);
    /* The net loss is at least -growth, its value if nothing is captured. If -growth is above `enough`, do not call
     * net_loss(). */
    int enough = stones - needed, lost = -growth <= enough ? net_loss(&siege, replies, first, 0, 0, 0, 0, enough) : INFINITE;
    if (lost <= enough)
        return BOUND(stones - lost);
    return replies && -growth <= enough + 1 && rescue_suffices(&siege, empty, enough) ? BOUND(needed) : BOUND(safe);
    #undef BOUND
}

/* Return an upper bound on the attacker's final margin after any remote ply. A ply is remote if it captures nothing and takes no
 * liberty of a group with plies + 1 liberties or fewer. A remote ply costs the other groups at most one liberty and one pair. The
 * parameters `attacker`, `side` and `empty` describe the board without the stone of the remote ply. `plies` is the number of the
 * attacker's plies after the remote ply, and `first` states whether the attacker also plays the next ply. */
static inline int upper_bound_after_remote(u32 attacker, const Side *side, u32 empty, int plies, int replies, bool first,
                                           bool last)
{
    int placed = popcount(attacker) + 1 + plies;
    Siege siege = {.plies = plies, .replies = replies, .first = first, .last = last};
    lay_siege(&siege, attacker, side, empty);
    if (siege.standing)
        find_pairs(&siege, empty);
    int safe = popcount(side->stones) - net_loss(&siege, replies, first, 1, 0, 0, 0, INFINITE);
    return min(placed, MOST_VALUE - safe) - safe;
}

/* Return the liberties of all groups that have at most `plies` liberties, so that this number of plies can capture them. */
static inline u32 capturable_liberties(const Side *side, int plies)
{
    u32 found = 0;
    for (int i = 0; i < MAX_GROUPS; i++)
        found |= popcount(side->liberties.at[i]) <= plies ? side->liberties.at[i] : 0;
    return found;
}

/* Return the points in `legal` that must be searched. The other points share an upper bound below the goal, which is stored in
 * `others` if there are such points. The parameters my_plies and their_plies are the numbers of plies left for the mover and for
 * the opponent, and `last` states whether the mover plays the last ply.
 *
 * The opponent becomes the keeper, either at once or after one reply that captures a group in atari. Each of these plans excludes
 * the stones that cannot disturb the plan, and `others` is the largest bound of the plans. A stone cannot disturb a plan if it
 * captures nothing, is not on the point of the reply, and is not on a liberty of a group that has at most `my_plies` liberties
 * after the reply. Such a stone cannot prevent the reply: the group in atari has no other liberty, so the stone is not next to
 * the group, and without a capture there is no ko. So one call of upper_bound_after_remote() is enough for all these stones. */
static u32 relevant_points(const Node *node, u32 empty, u32 legal, int my_plies, int their_plies, bool last, int goal, int *others)
{
    int common = -INFINITE;
    /* In the first plan the opponent becomes the keeper at once. */
    if (margin_of(node) + my_plies - their_plies < goal) {
        int bound = upper_bound_after_remote(node->me.stones, &node->opp, empty, my_plies - 1, their_plies, false, last);
        if (bound < goal) {
            legal &= capturable_liberties(&node->opp, my_plies);
            common = bound;
        }
    }
    /* In the other plans the opponent first captures, and then becomes the keeper. */
    for (u32 replies = node->me.in_atari; replies && legal; replies &= replies - 1) {
        Side after;
        u32 reply = lowest_bit(replies), taken = captured_by(&node->me, reply), left = (empty ^ reply) | taken;
        join(&after, &node->opp, lowest(reply));
        find_liberties(&after, left);
        int bound = upper_bound_after_remote(node->me.stones ^ taken, &after, left, my_plies - 1, their_plies - 1, true, last);
        if (bound < goal) {
            legal &= reply | node->opp.in_atari | capturable_liberties(&after, my_plies);
            common = max(common, bound);
        }
    }
    if (common > -INFINITE)
        *others = common;
    return legal;
}

/* Return a lower bound on the mover's value that reaches `goal`, or -INFINITE if no capture leads to such a bound. After each
 * capture the mover is the keeper, and upper_bound() limits the opponent's margin without a search. The parameters my_plies,
 * their_plies and `last` have the same meaning as in relevant_points(). */
static int lower_bound_by_capture(const Node *node, u32 empty, u32 legal, int my_plies, int their_plies, bool last, int goal)
{
    for (u32 taking = legal & node->opp.in_atari; taking; taking &= taking - 1) {
        Side after;
        u32 stone = lowest_bit(taking), taken = captured_by(&node->opp, stone), left = (empty ^ stone) | taken;
        join(&after, &node->me, lowest(stone));
        find_liberties(&after, left);
        int bound = upper_bound(node->opp.stones ^ taken, &after, left, their_plies, my_plies - 1, true, !last, 1 - goal);
        if (bound < 1 - goal)
            return -bound;
    }
    return -INFINITE;
}

#endif
