#include "kernel.h"

#include <stddef.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

enum {
    MAX_GROUPS = 14,
    LANES = 8, HALVES = 2,     /* of vectors that hold them */
    SYMMETRIES = 8,
    LINE = 8,                  /* entries in a line */
    TAG_SHIFT = 18,
    TABLE_LEFT = 4,            /* with fewer plies left, positions are searched straight, and not stored */
    NEAR_LEFT = 5,             /* with so many or fewer, in a small table of the kernel's own: the cache holds it */
    SCAN_LEFT = 6,             /* with fewer plies left, the table is not asked about all children first */
    OUT_OF_REACH = 0x3FFFFFF,  /* more points than there are plies */
    CHECK_NODES = 1 << 20,     /* how often interrupts and limits are looked at */
    VERIFY_NODES = 100,        /* enough to see what the table or the static bounds tell */
    BUSY_LEFT = 8,             /* with fewer plies left, a position is not worth sharing out */
    GUESS_LEFT = 8,            /* plies left of the shortest game that is asked for a guess */
    LOOK_NODES = 1 << 14,      /* how often a worker looks at what the others have decided */
    PASS_RANK = 1 << 28,
    RECORD_WEIGHT = 120,       /* in 256ths: how much four records count against the ranks */
    DEFERRED = 1 << 30,
    RECORD_LIMIT = 2048,       /* of a move that always decided, at the usual cost, and of one that never did */
    CHEAPER = 192,             /* what half the cost adds to that, up to as much again */
    COST_SHIFT = 4,            /* how slowly the usual cost follows */
    RARE_LEFT = 10,            /* with so many plies left or more, nodes are few: records of two plies fewer count too */
    RECORD_SHIFT = 2,          /* how slowly a record follows what happens: by a quarter each time */
    RECORD_SPREAD = 512,       /* of a seeded record's first values */
};

#define FULL ((1u << POINTS) - 1)
#define WEST (FULL / ((1u << SIZE) - 1))
#define EAST (WEST << (SIZE - 1))
#define BOARD_BITS (((u64)1 << 50) - 1)  /* room for two boards of any size */

static inline int popcount(u32 x) { return __builtin_popcount(x); }
static inline int lowest(u32 x) { return __builtin_ctz(x); }
static inline u32 lowest_bit(u32 x) { return x & -x; }
static inline bool one_bit_at_most(u32 x) { return (x & (x - 1)) == 0; }
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }

/* --- the board ------------------------------------------------------------------------------ */

static inline u32 neighbours(u32 mask)
{
    return (mask << SIZE & FULL) | mask >> SIZE | (mask << 1 & FULL & ~WEST) | (mask >> 1 & ~EAST);
}

/* f(0), f(1), … of all points. */
#define ROW_3(f, i) f(SIZE * (i)), f(SIZE * (i) + 1), f(SIZE * (i) + 2)
#define ROW_4(f, i) ROW_3(f, i), f(SIZE * (i) + 3)
#define ROW_5(f, i) ROW_4(f, i), f(SIZE * (i) + 4)
#if SIZE == 3
#define EACH(f) ROW_3(f, 0), ROW_3(f, 1), ROW_3(f, 2)
#elif SIZE == 4
#define EACH(f) ROW_4(f, 0), ROW_4(f, 1), ROW_4(f, 2), ROW_4(f, 3)
#else
#define EACH(f) ROW_5(f, 0), ROW_5(f, 1), ROW_5(f, 2), ROW_5(f, 3), ROW_5(f, 4)
#endif

#define BIT(p) (1u << (p))
#define AROUND(p) ((BIT(p) << SIZE & FULL) | BIT(p) >> SIZE | (BIT(p) << 1 & FULL & ~WEST) | (BIT(p) >> 1 & ~EAST))
static const u32 NEIGHBOURS[POINTS] = { EACH(AROUND) };

/* --- symmetries -----------------------------------------------------------------------------
 *
 * Symmetry s transposes the board for bit 0, then turns the rows over for bit 1 and the columns for bit 2.
 */

#define TURNED(i, over) ((over) ? SIZE - 1 - (i) : (i))
#define GOES(s, i, j) (SIZE * TURNED(i, (s) & 2) + TURNED(j, (s) & 4))
#define IMAGE(s, p) ((s) & 1 ? GOES(s, (p) % SIZE, (p) / SIZE) : GOES(s, (p) / SIZE, (p) % SIZE))
#define IMAGE_0(p) IMAGE(0, p)
#define IMAGE_1(p) IMAGE(1, p)
#define IMAGE_2(p) IMAGE(2, p)
#define IMAGE_3(p) IMAGE(3, p)
#define IMAGE_4(p) IMAGE(4, p)
#define IMAGE_5(p) IMAGE(5, p)
#define IMAGE_6(p) IMAGE(6, p)
#define IMAGE_7(p) IMAGE(7, p)
#define MOVES(f) { EACH(f), PASS, NO_MOVE }
static const u8 IMAGE_OF[SYMMETRIES][NO_MOVE + 1] = {
    MOVES(IMAGE_0), MOVES(IMAGE_1), MOVES(IMAGE_2), MOVES(IMAGE_3),
    MOVES(IMAGE_4), MOVES(IMAGE_5), MOVES(IMAGE_6), MOVES(IMAGE_7),
};
/* All but two undo themselves. */
static const u8 INVERSE[SYMMETRIES] = {0, 1, 2, 5, 4, 3, 6, 7};

static inline int image_back(int symmetry, int move)
{
    return IMAGE_OF[INVERSE[symmetry]][move];
}

/* The eight images of a set of points: one vector register, where there are such. */
typedef struct {
    _Alignas(32) u32 at[SYMMETRIES];
} Images;

#define IMAGES(p) {{ BIT(IMAGE_0(p)), BIT(IMAGE_1(p)), BIT(IMAGE_2(p)), BIT(IMAGE_3(p)), \
                     BIT(IMAGE_4(p)), BIT(IMAGE_5(p)), BIT(IMAGE_6(p)), BIT(IMAGE_7(p)) }}
static const Images IMAGES_OF[POINTS] = { EACH(IMAGES) };

/* The images with the points of `mask` turned over: put in where they were out, and the reverse. */
static inline Images turned_over(const Images *images, u32 mask)
{
    Images turned = *images;
    for (; mask; mask &= mask - 1)
        for (int s = 0; s < SYMMETRIES; s++)
            turned.at[s] ^= IMAGES_OF[lowest(mask)].at[s];
    return turned;
}

static inline Images images_of(u32 mask)
{
    static const Images NONE = {{0}};
    return turned_over(&NONE, mask);
}

/* --- groups ---------------------------------------------------------------------------------
 *
 * A side's groups stand in the lanes of two vectors, in no order; a lane without a group is 0. So a question about all
 * groups is a few instructions without a loop or a branch.
 */

typedef u32 Lanes __attribute__((vector_size(4 * LANES)));

/* Something of each group of a side. */
typedef union {
    Lanes half[HALVES];
    u32 at[HALVES * LANES];
} Groups;

static const Groups LANE_BIT = {{
    {1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7},
    {1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15},
}};

typedef struct {
    u32 stones;
    Groups group;            /* the stones of each group */
    Groups around;           /* the points next to each group, whatever stands there */
    Groups liberties;        /* what find_liberties() fills in */
    u32 one, more;           /* what look() fills in: the liberties of the groups that have one, two or more */
} Side;

typedef struct {
    Side me, opp;
    Images mine, theirs;     /* of the stones; where positions are not stored, they may be stale */
    int ko;                  /* the point the mover may not play, or NO_KO */
    int last, before;        /* the move that led here, and the one before; PASS if none is known */
} Node;

/* The points in any lane of both halves. */
static inline u32 united(const Groups *groups)
{
    typedef u64 Pair __attribute__((vector_size(16)));
    union { Lanes lanes; Pair half[2]; } both = {groups->half[0] | groups->half[1]};
    Pair pair = both.half[0] | both.half[1];
    u64 united = pair[0] | pair[1];
    return (u32)(united | united >> 32);
}

/* The lanes without a point of `mask`, all bits set in each such lane. */
static inline Groups apart(const Groups *groups, u32 mask)
{
    Groups lanes;
    for (int i = 0; i < HALVES; i++)
        lanes.half[i] = (Lanes)((groups->half[i] & mask) == 0);
    return lanes;
}

static inline Groups only(const Groups *groups, const Groups *lanes)
{
    Groups kept;
    for (int i = 0; i < HALVES; i++)
        kept.half[i] = groups->half[i] & lanes->half[i];
    return kept;
}

static inline Groups but(const Groups *groups, const Groups *lanes)
{
    Groups kept;
    for (int i = 0; i < HALVES; i++)
        kept.half[i] = groups->half[i] & ~lanes->half[i];
    return kept;
}

static void fill_side(Side *side, u32 stones)
{
    static const Groups NONE = {{{0}}};
    side->stones = stones;
    side->group = side->around = NONE;
    for (int n = 0; stones; n++) {
        u32 group, grown = lowest_bit(stones);
        do {
            group = grown;
            grown = (group | neighbours(group)) & stones;
        } while (grown != group);
        side->group.at[n] = group;
        side->around.at[n] = neighbours(group);
        stones ^= group;
    }
}

static inline u32 empty_points(const Node *node)
{
    return FULL & ~(node->me.stones | node->opp.stones);
}

static inline int margin_of(const Node *node)
{
    return popcount(node->me.stones) - popcount(node->opp.stones);
}

static inline void find_liberties(Side *side, u32 empty)
{
    for (int i = 0; i < HALVES; i++)
        side->liberties.half[i] = side->around.half[i] & empty;
}

/* Find the liberties of a side's groups, and sort them. */
static inline void look(Side *side, u32 empty)
{
    Groups one, more;
    find_liberties(side, empty);
    for (int i = 0; i < HALVES; i++) {
        Lanes liberties = side->liberties.half[i], has_two = (Lanes)((liberties & (liberties - 1)) != 0);
        one.half[i] = liberties & ~has_two;
        more.half[i] = liberties & has_two;
    }
    side->one = united(&one);
    side->more = united(&more);
}

/* The lanes of the groups that have two liberties, all bits set in each such lane; find_liberties() before. */
static inline Groups with_two(const Side *side)
{
    Groups lanes;
    for (int i = 0; i < HALVES; i++) {
        Lanes liberties = side->liberties.half[i], but_one = liberties & (liberties - 1);
        lanes.half[i] = (Lanes)(but_one != 0) & (Lanes)((but_one & (but_one - 1)) == 0);
    }
    return lanes;
}

/* The liberties of the groups that have two; find_liberties() before. */
static inline u32 doubles_of(const Side *side)
{
    Groups lanes = with_two(side), two = only(&side->liberties, &lanes);
    return united(&two);
}

static void fill_node(Node *node, const Position *position)
{
    fill_side(&node->me, position->me);
    fill_side(&node->opp, position->opp);
    node->mine = images_of(position->me);
    node->theirs = images_of(position->opp);
    node->ko = position->ko;
    node->last = node->before = PASS;
    look(&node->me, empty_points(node));
    look(&node->opp, empty_points(node));
}

/* The side's stones taken by a stone of its opponent; look() before. */
static inline u32 captures(const Side *side, u32 stone)
{
    Groups taken;
    for (int i = 0; i < HALVES; i++)
        taken.half[i] = side->group.half[i] & (Lanes)(side->liberties.half[i] == stone);
    return united(&taken);
}

/* The ko point after a stone that takes `taken`. It is one where a lone stone took a lone stone and has no other
 * liberty: only such a stone could be taken back into the board before last. */
static inline int ko_after(const Node *node, int point, u32 taken)
{
    bool lone = taken && one_bit_at_most(taken) && !(NEIGHBOURS[point] & ~node->opp.stones);
    return lone ? lowest(taken) : NO_KO;
}

/* Make `after` the side with one more stone, which joins the groups next to it. A copy for each caller would be 7 % more
 * WebAssembly, and no faster. */
__attribute__((noinline)) static void join(Side *after, const Side *side, int point)
{
    u32 stone = BIT(point), near = NEIGHBOURS[point];
    Groups alone = apart(&side->group, near), free;
    Groups groups = but(&side->group, &alone), arounds = but(&side->around, &alone);
    u32 group = stone | united(&groups), around = near | united(&arounds);
    groups = only(&side->group, &alone);
    arounds = only(&side->around, &alone);
    for (int i = 0; i < HALVES; i++)
        free.half[i] = LANE_BIT.half[i] & (Lanes)(groups.half[i] == 0);
    u32 lane = lowest_bit(united(&free));
    for (int i = 0; i < HALVES; i++) {
        Lanes here = (Lanes)(LANE_BIT.half[i] == lane);
        after->group.half[i] = groups.half[i] | (here & group);
        after->around.half[i] = arounds.half[i] | (here & around);
    }
    after->stones = side->stones | stone;
}

/* Make `child` the position after a legal stone that takes `taken`, but for the images; the mover becomes the child's
 * opponent. */
static void play(Node *child, const Node *node, int point, u32 taken)
{
    Groups left = apart(&node->opp.group, taken);
    join(&child->opp, &node->me, point);
    child->me.stones = node->opp.stones ^ taken;
    child->me.group = only(&node->opp.group, &left);
    child->me.around = only(&node->opp.around, &left);
    child->ko = ko_after(node, point, taken);
    child->last = point;
    child->before = node->last;
}

static inline void play_pass(Node *child, const Node *node)
{
    child->me = node->opp;
    child->opp = node->me;
    child->ko = NO_KO;
    child->last = PASS;
    child->before = node->last;
}

/* Make `child`'s images those after a stone that takes `taken`. */
static inline void play_images(Node *child, const Node *node, int point, u32 taken)
{
    child->theirs = turned_over(&node->mine, BIT(point));
    child->mine = turned_over(&node->theirs, taken);
}

/* Make `child`'s images those after a PASS. */
static inline void pass_images(Node *child, const Node *node)
{
    child->mine = node->theirs;
    child->theirs = node->mine;
}

/* The points the mover may play; look() before. */
static inline u32 legal_points(const Node *node, u32 empty)
{
    u32 legal = (empty & neighbours(empty)) | node->me.more | node->opp.one;
    return node->ko == NO_KO ? legal : legal & ~BIT(node->ko);
}

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

/* --- transposition table --------------------------------------------------------------------
 *
 * The table is an array of 64-byte lines of eight entries. The line is chosen by the two boards alone; plies left, ko and
 * pass state are in the entry. An entry is one aligned 64-bit word, read and written whole, so workers need no lock:
 *
 *     bit  63 .. 32    31 .. 27  26 .. 22  21      20 .. 15  14 .. 9  8 .. 4  3 .. 0
 *          board tag   ko + 1    left      passed  lo + 32   hi + 32  move    work
 *
 * Positions are kept in canonical orientation: the one of the eight with the smallest boards, me before opp. The board
 * hash is an invertible mix of the 50 board bits: its low bits choose the line, and the tag holds bits 18 to 49. A
 * table has at least 2**18 lines, so line and tag together give back the boards: no two positions are ever confused.
 * Positions with few plies left are most of all, cost little, and would wait for memory: each kernel has a small table for
 * them, which stays in its core's cache. Its 2**16 lines are chosen by 16 bits, so `left` there is bits 16 and 17 of the
 * hash above its own three lowest bits, more than 4 and 5 plies need. The ko is one more, so that no entry is 0.
 * `work` is half the bit length of the nodes spent; an entry that cost more is replaced later. An empty
 * entry is 0.
 */

typedef struct Slot {
    u64 *line;
    u64 id;        /* the upper 43 bits of an entry: tag, ko, left, passed */
    int symmetry;  /* what takes the position to its slot's orientation */
} Slot;

/* An invertible mix of 50 bits: each step is a bijection. */
static inline u64 mix(u64 x)
{
    x ^= x >> 27;
    x = x * 0x3C79AC492BA7B653u & BOARD_BITS;
    x ^= x >> 25;
    x = x * 0x1C69B3F74AC4AE35u & BOARD_BITS;
    x ^= x >> 28;
    return x;
}

static inline Slot locate(const Kernel *kernel, const Images *me, const Images *opp, int ko, int left, bool passed)
{
    u32 mine = FULL, theirs = FULL, least = 0;
    Slot slot;
    for (int s = 0; s < SYMMETRIES; s++)
        mine = me->at[s] < mine ? me->at[s] : mine;
    for (int s = 0; s < SYMMETRIES; s++) {
        u32 image = me->at[s] == mine ? opp->at[s] : FULL;
        theirs = image < theirs ? image : theirs;
    }
    for (int s = 0; s < SYMMETRIES; s++)
        least |= (u32)(me->at[s] == mine && opp->at[s] == theirs) << s;
    slot.symmetry = lowest(least);
    if (ko != NO_KO) {
        /* Boards that equal their own image: the lowest image of the ko point decides. */
        int point = ko;
        ko = 31;
        for (; least; least &= least - 1) {
            if (IMAGE_OF[lowest(least)][point] < ko) {
                slot.symmetry = lowest(least);
                ko = IMAGE_OF[slot.symmetry][point];
            }
        }
    }
    u64 hashed = mix((u64)mine << POINTS | theirs);
    if (left > NEAR_LEFT) {
        slot.line = kernel->table + (hashed & kernel->last_line) * LINE;
    } else {
        slot.line = kernel->near + (hashed & (NEAR_LINES - 1)) * LINE;
        left = (int)(hashed / NEAR_LINES & 3) << 3 | (left & 7);
        ko++;  /* so that the empty board's id is not 0, as that of an empty entry is */
    }
    slot.id = (hashed >> TAG_SHIFT) << 32 | (u64)(ko + 1) << 27 | (u64)left << 22 | (u64)passed << 21;
    return slot;
}

static inline int entry_lo(u64 entry) { return (int)(entry >> 15 & 63) - 32; }
static inline int entry_hi(u64 entry) { return (int)(entry >> 9 & 63) - 32; }
static inline int entry_move(u64 entry) { return (int)(entry >> 4 & 31); }
static inline int entry_work(u64 entry) { return (int)(entry & 15); }

/* Other workers write while this one reads; each word is whole. */
static inline u64 read_entry(const u64 *entry) { return __atomic_load_n(entry, __ATOMIC_RELAXED); }

/* The entry of the slot's position, or 0. */
static inline u64 probe(const Slot *slot)
{
    for (int i = 0; i < LINE; i++) {
        u64 entry = read_entry(&slot->line[i]);
        if (entry >> 21 == slot->id >> 21)
            return entry;
    }
    return 0;
}

static inline void store(const Slot *slot, int lo, int hi, int move, u64 nodes)
{
    int work = (64 - __builtin_clzll(nodes | 1)) >> 1 & 15;
    int cheapest = 99, victim = 0;  /* an empty entry is the cheapest */
    for (int i = 0; i < LINE; i++) {
        u64 entry = read_entry(&slot->line[i]);
        if (entry >> 21 == slot->id >> 21) {
            /* Another worker may have stored it meanwhile: keep the sharper of each bound. */
            lo = max(lo, entry_lo(entry));
            hi = min(hi, entry_hi(entry));
            work = max(work, entry_work(entry));
            victim = i;
            break;
        }
        int cost = entry ? entry_work(entry) : -1;
        if (cost < cheapest) {
            cheapest = cost;
            victim = i;
        }
    }
    u64 entry = slot->id | (u64)(lo + 32) << 15 | (u64)(hi + 32) << 9 | (u64)IMAGE_OF[slot->symmetry][move] << 4 | work;
    __atomic_store_n(&slot->line[victim], entry, __ATOMIC_RELAXED);
}

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

/* --- search --------------------------------------------------------------------------------- */

typedef struct {
    int count;
    int move[MOST_MOVES];
    int rank[MOST_MOVES];
    u32 taken[MOST_MOVES];  /* the stones the move takes */
    Slot slot[MOST_MOVES];  /* where the table keeps the position after it */
} Moves;

/* List the moves, PASS last; they have no ranks yet. */
static inline void list_moves(Moves *moves, const Node *node, u32 legal)
{
    moves->count = 0;
    for (; legal; legal &= legal - 1) {
        u32 stone = lowest_bit(legal);
        moves->move[moves->count] = lowest(stone);
        moves->taken[moves->count++] = stone & node->opp.one ? captures(&node->opp, stone) : 0;
    }
    moves->move[moves->count] = PASS;
    moves->taken[moves->count++] = 0;
}

static inline void drop(Moves *moves, int i)
{
    int last = --moves->count;
    moves->move[i] = moves->move[last];
    moves->rank[i] = moves->rank[last];
    moves->taken[i] = moves->taken[last];
    moves->slot[i] = moves->slot[last];
}

static inline int next_move(const Moves *moves)
{
    int best = 0;
    for (int i = 1; i < moves->count; i++)
        if (moves->rank[i] > moves->rank[best])
            best = i;
    return best;
}

/* What speaks for a move: 1024 times the logarithm of how much likelier it makes the move to be the one to try first. Fitted
 * to what the moves of 9,116 nodes came to (multinomial logistic regression, weighted by what each cost). It depends on
 * whether the mover needs more than the board shows. */
typedef struct {
    int32_t place[6];          /* by PLACE_OF */
    int32_t takes, saves, saves_stone, escapes, threatens, threatens_stone, props, props_well;
    int32_t liberties[4];      /* of the group that the stone is in, four and more being 0 */
    int32_t lost_stone;        /* where it has one, for each of its stones */
    int32_t own, other, touches, free, fills_eye;
} Ranks;

static const Ranks RANKS[2] = {
    {.place = {-279, -187, -57, 135, 739, 783}, .takes = 1239, .saves = -8, .saves_stone = 365, .escapes = 269,
     .threatens = 635, .threatens_stone = 43, .props = -19, .props_well = 242, .liberties = {0, -516, -548, -225},
     .lost_stone = -602, .own = -5, .other = 156, .touches = 330, .free = 183, .fills_eye = 175},
    {.place = {-341, -247, -37, 166, 829, 1159}, .takes = 1150, .saves = 580, .saves_stone = 168, .escapes = 904,
     .threatens = 469, .threatens_stone = 156, .props = 619, .props_well = -82, .liberties = {0, -689, -708, -152},
     .lost_stone = -1206, .own = -145, .other = 305, .touches = 648, .free = 237, .fills_eye = -141},
};

/* The six places of 5x5, by how far they are from the edges; smaller boards have those near the corners:
 *
 *     0 1 2 1 0
 *     1 3 4 3 1
 *     2 4 5 4 2
 *     1 3 4 3 1
 *     0 1 2 1 0
 */
#define FROM_EDGE(i) ((i) < SIZE / 2 ? (i) : SIZE - 1 - (i))
#define PLACE(i, j) ((i) < (j) ? (i) * (5 - (i)) / 2 + (j) : (j) * (5 - (j)) / 2 + (i))
#define PLACE_AT(p) PLACE(FROM_EDGE((p) / SIZE), FROM_EDGE((p) % SIZE))
static const u8 PLACE_OF[POINTS] = { EACH(PLACE_AT) };

/* The stones of the side's groups that have two liberties and one of them here. */
static inline u32 threatened(const Side *side, const Groups *two, u32 stone)
{
    Groups groups;
    for (int i = 0; i < HALVES; i++)
        groups.half[i] = side->group.half[i] & two->half[i] & (Lanes)((side->liberties.half[i] & stone) != 0);
    return united(&groups);
}

/* mine, theirs: doubles_of() both sides. */
static int rank_of(const Node *node, const Ranks *ranks, u32 empty, int point, u32 taken, u32 mine, u32 theirs)
{
    u32 stone = BIT(point), near = NEIGHBOURS[point];
    Groups alone = apart(&node->me.group, near), arounds = but(&node->me.around, &alone);
    int liberties = popcount((near | united(&arounds)) & ((empty ^ stone) | taken));
    int own = popcount(near & node->me.stones), other = popcount(near & node->opp.stones), free = popcount(near & empty);
    int rank = ranks->place[PLACE_OF[point]] + own * ranks->own + other * ranks->other + free * ranks->free;
    rank += other ? ranks->touches : free ? 0 : ranks->fills_eye;
    if (liberties < 4)
        rank += ranks->liberties[liberties];
    if (liberties == 1) {
        Groups joined = but(&node->me.group, &alone);
        rank += (1 + popcount(united(&joined))) * ranks->lost_stone;
    }
    if (taken)
        rank += ranks->takes;
    if (stone & node->me.one)
        rank += ranks->saves + popcount(captures(&node->me, stone)) * ranks->saves_stone + (liberties > 1) * ranks->escapes;
    if (stone & mine)
        rank += ranks->props + (liberties > 2) * ranks->props_well;
    if (stone & theirs) {
        Groups two = with_two(&node->opp);
        rank += ranks->threatens + popcount(threatened(&node->opp, &two, stone)) * ranks->threatens_stone;
    }
    return rank;
}

/* What stands next to a point, in eight bits. */
static inline int shape_at(const Node *node, int point)
{
    u32 near = NEIGHBOURS[point];
    u64 mine = (u64)(node->me.stones & near) << SIZE, theirs = (u64)(node->opp.stones & near) << (SIZE + 1);
    u32 cross = (u32)(mine >> point) | (u32)(theirs >> point);
    return (int)((cross & 3) | (cross >> (SIZE - 3) & 0x3C) | (cross >> (2 * SIZE - 6) & 0xC0));
}

/* The records of a node's moves: by its goal, the last move, the mover's last move, and what stands next to them. */
typedef struct {
    int16_t *move, *reply, *follow, (*shape)[SHAPES];
} Records;

static inline Records records_of(Kernel *kernel, const Node *node, int left, bool gain)
{
    return (Records){kernel->decided[left][gain], kernel->reply[left][node->last], kernel->follow[left][node->before],
                     kernel->shape[left]};
}

static inline int recorded(const Records *records, int point, int shape)
{
    return records->move[point] + records->reply[point] + records->follow[point] + records->shape[point][shape];
}

static void rank_moves(Moves *moves, Kernel *kernel, const Node *node, u32 empty, int left, bool gain)
{
    bool rare = left >= RARE_LEFT;
    Records records = records_of(kernel, node, left, gain), shorter = records_of(kernel, node, left - 2 * rare, gain);
    u32 mine = doubles_of(&node->me), theirs = doubles_of(&node->opp);
    for (int i = 0; i < moves->count; i++) {
        int point = moves->move[i];
        if (point == PASS) {
            moves->rank[i] = -PASS_RANK;
            continue;
        }
        int shape = shape_at(node, point), record = recorded(&records, point, shape);
        if (rare)
            record += recorded(&shorter, point, shape) * 3 >> 2;
        moves->rank[i] = rank_of(node, &RANKS[gain], empty, point, moves->taken[i], mine, theirs) + (record * RECORD_WEIGHT >> 8);
    }
}

/* One copy, as of join(). */
__attribute__((noinline)) static void record(const Records *records, const Node *node, int point, int outcome)
{
    int16_t *all[] = {&records->move[point], &records->reply[point], &records->follow[point],
                      &records->shape[point][shape_at(node, point)]};
    for (int i = 0; i < 4; i++)
        *all[i] = (int16_t)(*all[i] + ((outcome - *all[i]) >> RECORD_SHIFT));
}

/* 1024 times the binary logarithm of a number of nodes, but straight between powers of two. */
static inline int log_of(u64 nodes)
{
    int bits = 63 - __builtin_clzll(nodes);
    return bits << 10 | (int)(nodes << (63 - bits) << 1 >> 54);
}

/* Remember that `move` decided for so many nodes, and that those on `failed` were tried before it. What answers one move well, or
 * follows another well, counts for itself (continuation history, as in Stockfish). Nearly every move that is tried first decides,
 * so its cost tells more. */
static inline void reward(Kernel *kernel, const Node *node, int left, bool gain, int move, u32 failed, u64 nodes)
{
    Records records = records_of(kernel, node, left, gain);
    int32_t *usual = &kernel->usual_cost[left][gain], dearer;
    if (move == PASS)
        return;
    for (; failed; failed &= failed - 1)
        record(&records, node, lowest(failed), -RECORD_LIMIT);
    dearer = log_of(nodes) - *usual;
    *usual += dearer >> COST_SHIFT;
    record(&records, node, move, max(min(RECORD_LIMIT - (dearer * CHEAPER >> 10), 2 * RECORD_LIMIT), -RECORD_LIMIT));
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

static inline Slot locate_child(const Kernel *kernel, const Node *node, int move, u32 taken, int left)
{
    if (move == PASS)
        return locate(kernel, &node->theirs, &node->mine, NO_KO, left - 1, true);
    Images theirs = turned_over(&node->mine, BIT(move));
    if (!taken)
        return locate(kernel, &node->theirs, &theirs, NO_KO, left - 1, false);
    Images mine = turned_over(&node->theirs, taken);
    return locate(kernel, &mine, &theirs, ko_after(node, move, taken), left - 1, false);
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

/* --- what callers see ----------------------------------------------------------------------- */

void kernel_open(Kernel *kernel, void *table, uint64_t lines, uint64_t seed)
{
    kernel->table = table;
    kernel->last_line = lines - 1;
    kernel->near = (u64 *)(((uintptr_t)kernel->near_room + LINE_BYTES - 1) & ~(uintptr_t)(LINE_BYTES - 1));
    if (seed)
        for (int left = 0; left <= MOST_LEFT; left++)
            for (int point = 0; point < POINTS; point++)
                kernel->decided[left][0][point] = kernel->decided[left][1][point] =
                    (int16_t)(mix(mix(seed) + left * POINTS + point) % RECORD_SPREAD);
}

static inline Slot slot_of(const Kernel *kernel, const Position *position)
{
    Node node;
    fill_node(&node, position);
    return locate(kernel, &node.mine, &node.theirs, position->ko, position->left, position->pass_ends);
}

void kernel_teach(Kernel *kernel, const Position *position, const Answer *answer)
{
    if (position->left >= TABLE_LEFT) {
        Slot slot = slot_of(kernel, position);
        store(&slot, answer->lo, answer->hi, answer->best, answer->nodes);
    }
}

/* What the table holds of a position. */
static Answer stored(const Kernel *kernel, const Position *position)
{
    Slot slot = slot_of(kernel, position);
    u64 entry = position->left >= TABLE_LEFT ? probe(&slot) : 0;
    if (!entry)
        return (Answer){-MOST_VALUE, MOST_VALUE, NO_MOVE, 0};
    return (Answer){max(entry_lo(entry), -MOST_VALUE), min(entry_hi(entry), MOST_VALUE),
                    image_back(slot.symmetry, entry_move(entry)), 0};
}

/* Search a position, and return what is proved of it then. */
static Answer bounds(Kernel *kernel, const Position *position, int goal, u64 node_limit)
{
    Node node;
    fill_node(&node, position);
    kernel->node_limit = node_limit ? kernel->nodes + node_limit : 0;
    kernel->stopped = kernel->was_interrupted = false;
    /* Not put off: many short searches in turn are interrupted like a long one. */
    if (kernel->node_limit && kernel->node_limit < kernel->next_check)
        kernel->next_check = kernel->node_limit;
    int result = decide(kernel, &node, position->left, position->pass_ends, goal, true, NULL);
    Answer answer = stored(kernel, position);
    if (!kernel->stopped) {
        if (result >= goal)
            answer.lo = max(answer.lo, result);
        else
            answer.hi = min(answer.hi, result);
    }
    return answer;
}

/* The position after a legal move. */
static Position after(const Position *position, int move)
{
    Node node, child;
    fill_node(&node, position);
    if (move == PASS) {
        play_pass(&child, &node);
    } else {
        u32 stone = BIT(move);
        play(&child, &node, move, captures(&node.opp, stone));
    }
    bool over = move == PASS && position->pass_ends;
    return (Position){child.me.stones, child.opp.stones, child.ko, over ? 0 : position->left - 1, move == PASS};
}

/* Whether a move is seen, within the node limit, to keep a bound on the mover's side. */
static bool keeps(Kernel *kernel, const Position *position, int move, int lo, u64 node_limit)
{
    Position child = after(position, move);
    if (child.left == 0)
        return popcount(child.opp) - popcount(child.me) >= lo;
    return -bounds(kernel, &child, 1 - lo, node_limit).hi >= lo;
}

/* The legal moves but PASS, as a mask. */
static u32 legal_of(const Position *position)
{
    Node node;
    fill_node(&node, position);
    return legal_points(&node, empty_points(&node));
}

static int any_move(const Position *position)
{
    u32 legal = legal_of(position);
    return legal ? lowest(legal) : PASS;
}

/* List the legal moves, those first that are likely to keep a bound; return how many. */
static int likely_moves(const Position *position, int best, int moves[MOST_MOVES + 2])
{
    int n = 0;
    if (best != NO_MOVE)
        moves[n++] = best;
    if (position->pass_ends)
        moves[n++] = PASS;
    for (u32 points = legal_of(position); points; points &= points - 1)
        moves[n++] = lowest(points);
    moves[n++] = PASS;
    return n;
}

Answer kernel_decide(Kernel *kernel, const Position *position, int goal, uint64_t node_limit)
{
    u64 before = kernel->nodes;
    Answer answer = bounds(kernel, position, goal, node_limit);
    int moves[MOST_MOVES + 2], count = likely_moves(position, answer.best, moves);
    bool decided = answer.lo >= goal, kept = false;
    /* What is decided has a move that keeps it; another bound may have one in the table. */
    if (!decided)
        count = answer.best != NO_MOVE;
    u64 limit = 0;
    if (node_limit || !decided) {
        u64 spent = kernel->nodes - before;
        limit = node_limit > spent + VERIFY_NODES ? node_limit - spent : VERIFY_NODES;
    }
    for (int i = 0; i < count && !kept && !kernel->was_interrupted; i++) {
        kept = keeps(kernel, position, moves[i], answer.lo, limit);
        if (kept)
            answer.best = moves[i];
    }
    if (!kept) {
        /* A bound on the mover's side that no move is known to keep is not worth reporting. */
        answer.lo = -MOST_VALUE;
        if (answer.best == NO_MOVE)
            answer.best = any_move(position);
    }
    answer.nodes = kernel->nodes - before;
    return answer;
}

/* Guess a value by that of the same board with fewer plies left: it is nearly the same, and costs little. */
static int guess_of(Kernel *kernel, const Position *position, u64 node_limit)
{
    u64 before = kernel->nodes;
    Position shorter = *position;
    int guess = popcount(position->me) - popcount(position->opp);
    shorter.left -= (position->left - GUESS_LEFT) / 2 * 2;
    for (; shorter.left < position->left; shorter.left += 2) {
        Answer known = {.lo = -MOST_VALUE, .hi = MOST_VALUE};
        while (known.lo < known.hi) {
            u64 spent = kernel->nodes - before;
            int goal = max(guess, known.lo + 1);
            if (node_limit && spent >= node_limit)
                return guess;
            Answer answer = bounds(kernel, &shorter, goal, node_limit ? node_limit - spent : 0);
            if (answer.lo < goal && answer.hi >= goal)
                return guess;
            known.lo = max(known.lo, answer.lo);
            known.hi = min(known.hi, answer.hi);
            guess = answer.lo >= goal ? known.lo : known.hi;
        }
    }
    return guess;
}

Answer kernel_value(Kernel *kernel, const Position *position, int guess, uint64_t node_limit)
{
    u64 before = kernel->nodes;
    Answer known = {-MOST_VALUE, MOST_VALUE, NO_MOVE, 0};
    kernel->was_interrupted = false;
    int goal = max(guess == NO_GUESS ? guess_of(kernel, position, node_limit) : guess, 1 - MOST_VALUE);
    while (known.lo < known.hi && !kernel->was_interrupted) {
        u64 spent = kernel->nodes - before, rest = node_limit > spent ? node_limit - spent : 1;
        Answer answer = kernel_decide(kernel, position, goal, node_limit ? rest : 0);
        if (known.best == NO_MOVE || answer.lo > known.lo)
            known.best = answer.best;
        known.lo = max(known.lo, answer.lo);
        known.hi = min(known.hi, answer.hi);
        if (answer.lo < goal && answer.hi >= goal)
            break;
        goal = answer.lo >= goal ? known.lo + 1 : known.hi;
    }
    if (known.best == NO_MOVE)
        known.best = any_move(position);
    known.nodes = kernel->nodes - before;
    return known;
}

/* --- all moves of a position ---------------------------------------------------------------- */

static inline u32 packed(int lo, int hi) { return (u32)(lo + MOST_VALUE) << 8 | (u32)(hi + MOST_VALUE); }
static inline int packed_lo(u32 bounds) { return (int)(bounds >> 8) - MOST_VALUE; }
static inline int packed_hi(u32 bounds) { return (int)(bounds & 255) - MOST_VALUE; }
static inline u32 read_bounds(const MoveValue *value) { return __atomic_load_n(&value->bounds, __ATOMIC_RELAXED); }

int kernel_move_lo(const MoveValue *value) { return packed_lo(read_bounds(value)); }
int kernel_move_hi(const MoveValue *value) { return packed_hi(read_bounds(value)); }

bool kernel_narrow(MoveValue *value, int lo, int hi)
{
    u32 known = read_bounds(value), narrowed;
    do {
        lo = max(lo, packed_lo(known));
        hi = min(hi, packed_hi(known));
        if (lo > hi)
            return false;
        narrowed = packed(lo, hi);
    } while (!__atomic_compare_exchange_n(&value->bounds, &known, narrowed, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return true;
}

void kernel_list_moves(MoveValues *values, const Position *position, int first)
{
    u32 points = legal_of(position);
    values->count = 0;
    values->first = first;
    for (bool more = true; more; points &= points - 1) {
        MoveValue *value = &values->moves[values->count++];
        more = points != 0;
        value->move = points ? lowest(points) : PASS;
        value->after = after(position, value->move);
        value->guess = popcount(value->after.opp) - popcount(value->after.me);
        bool over = value->after.left == 0;
        value->bounds = over ? packed(value->guess, value->guess) : packed(-MOST_VALUE, MOST_VALUE);
        value->workers = 0;
        value->nodes = 0;
    }
}

/* The move to be asked about next, or NULL when all are exact; `goal`: what it is asked. The move with the fewest kernels at
 * it comes first, then one of which the winner is not known, then the highest goal. */
static MoveValue *next_question(MoveValues *values, int *goal)
{
    MoveValue *next = NULL;
    int best = 0;
    for (int i = 0; i < values->count; i++) {
        MoveValue *value = &values->moves[i];
        u32 bounds = read_bounds(value);
        int lo = packed_lo(bounds), hi = packed_hi(bounds);
        if (lo == hi)
            continue;
        bool undecided = lo < values->first && values->first <= hi;
        int asked = undecided ? values->first : min(max(value->guess, lo + 1), hi);
        int urgency = (undecided ? 100 : asked) - 1000 * __atomic_load_n(&value->workers, __ATOMIC_RELAXED);
        if (!next || urgency > best) {
            next = value;
            best = urgency;
            *goal = asked;
        }
    }
    return next;
}

bool kernel_moves(Kernel *kernel, MoveValues *values, uint64_t node_limit)
{
    u64 begun = kernel->nodes;
    for (int goal = 0;;) {
        MoveValue *value = next_question(values, &goal);
        u64 before = kernel->nodes;
        if (!value)
            return true;
        if (node_limit && before - begun >= node_limit)
            return false;
        __atomic_fetch_add(&value->workers, 1, __ATOMIC_RELAXED);
        Answer answer = bounds(kernel, &value->after, 1 - goal, node_limit ? node_limit - (before - begun) : 0);
        kernel_narrow(value, -answer.hi, -answer.lo);
        __atomic_fetch_add(&value->nodes, kernel->nodes - before, __ATOMIC_RELAXED);
        __atomic_fetch_sub(&value->workers, 1, __ATOMIC_RELAXED);
        if (kernel->stopped)
            return !next_question(values, &goal);
    }
}

static u64 count_leaves(Node *node, int left, bool passed, int depth, bool count_pass)
{
    u32 empty = empty_points(node), legal = empty & neighbours(empty);
    Node child;
    u64 leaves = 0;
    if (left == 0)
        return 0;
    if (depth == 1 && legal == empty)
        return popcount(node->ko == NO_KO ? legal : legal & ~BIT(node->ko)) + count_pass;
    look(&node->me, empty);
    look(&node->opp, empty);
    legal = legal_points(node, empty);
    if (depth == 1)
        return popcount(legal) + count_pass;
    for (; legal; legal &= legal - 1) {
        u32 stone = lowest_bit(legal);
        play(&child, node, lowest(stone), stone & node->opp.one ? captures(&node->opp, stone) : 0);
        leaves += count_leaves(&child, left - 1, false, depth - 1, count_pass);
    }
    if (count_pass && !passed) {
        play_pass(&child, node);
        leaves += count_leaves(&child, left - 1, true, depth - 1, count_pass);
    }
    return leaves;
}

uint64_t kernel_perft(const Position *position, int depth, bool count_pass)
{
    Node node;
    fill_node(&node, position);
    return count_leaves(&node, position->left, position->pass_ends, depth, count_pass);
}

/* --- keys ----------------------------------------------------------------------------------- */

static inline int key_ko(Key key) { return (int)(key >> KEY_KO & 31) - 1; }
static inline int key_left(Key key) { return (int)(key >> KEY_LEFT & 31); }
static inline bool key_passed(Key key) { return key >> KEY_PASSED & 1; }

static inline Key canonical(u32 black, u32 white, int ko, int left, bool passed)
{
    Images blacks = images_of(black), whites = images_of(white);
    Key best = ~(Key)0;
    for (int s = 0; s < SYMMETRIES; s++) {
        int image = ko == NO_KO ? NO_KO : IMAGE_OF[s][ko];
        Key key = (Key)(image + 1) << KEY_KO | (Key)whites.at[s] << KEY_WHITE | blacks.at[s];
        if (key < best)
            best = key;
    }
    return best | (Key)left << KEY_LEFT | (Key)passed << KEY_PASSED;
}

Key kernel_canonical(Key key)
{
    return canonical(key & FULL, key >> KEY_WHITE & FULL, key_ko(key), key_left(key), key_passed(key));
}

int kernel_children(Key key, Key children[MOST_CHILDREN], uint8_t moves[MOST_CHILDREN])
{
    u32 black = key & FULL, white = key >> KEY_WHITE & FULL;
    int left = key_left(key), n = 0;
    bool black_moves = left % 2 == GAME_PLIES % 2;
    Position position = {black_moves ? black : white, black_moves ? white : black, key_ko(key), left, false};
    Node node, child;
    if (left == 0)
        return 0;
    fill_node(&node, &position);
    u32 empty = empty_points(&node);
    for (u32 legal = legal_points(&node, empty); legal; legal &= legal - 1) {
        u32 stone = lowest_bit(legal), mine, theirs;
        play(&child, &node, lowest(stone), captures(&node.opp, stone));
        mine = child.opp.stones;
        theirs = child.me.stones;
        if (moves)
            moves[n] = (uint8_t)lowest(stone);
        children[n++] = canonical(black_moves ? mine : theirs, black_moves ? theirs : mine, child.ko, left - 1, false);
    }
    /* On the first ply too a PASS leaves the board as it was before, and so ends the game. */
    bool over = key_passed(key) || left == GAME_PLIES;
    if (moves)
        moves[n] = PASS;
    children[n++] = canonical(black, white, NO_KO, over ? 0 : left - 1, true);
    return n;
}
