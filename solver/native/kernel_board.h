/* The kernel's board: sets of points, symmetries, groups, legal moves. Part of kernel.c. */
#ifndef LITTLE_GO_KERNEL_BOARD_H
#define LITTLE_GO_KERNEL_BOARD_H

#include "kernel.h"

#include <stddef.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

enum {
    MAX_GROUPS = 14,
    LANES = 8, HALVES = 2,     /* of vectors that hold them */
    SYMMETRIES = 8,
};

#define FULL ((1u << POINTS) - 1)
#define WEST (FULL / ((1u << SIZE) - 1))
#define EAST (WEST << (SIZE - 1))

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

#endif
