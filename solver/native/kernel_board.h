/* Part of kernel.c: sets of points, symmetries, groups and legal moves. */
#ifndef LITTLE_GO_KERNEL_BOARD_H
#define LITTLE_GO_KERNEL_BOARD_H

#include "kernel.h"

#include <stddef.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

enum {
    MAX_GROUPS = 14,           /* an upper limit of the number of groups of a side */
    INFINITE = 99,             /* a number that is larger than every value, margin and net loss */
    LANES = 8, HALVES = 2,     /* the numbers of a vector, and the vectors for the groups of a side */
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

/* --- the board ------------------------------------------------------------------------------
 *
 * A set of points is a mask: bit SIZE * i + j is the point in row i, column j. On 5x5:
 *
 *      0  1  2  3  4
 *      5  6  7  8  9     A shift by 5 moves a set by one row, and a shift by 1 moves it by one column. A shift by one column
 *     10 11 12 13 14     would also move column 4 into column 0 of the next row, or column 0 into column 4 of the previous row.
 *     15 16 17 18 19     The masks WEST (column 0) and EAST (column 4) remove those points.
 *     20 21 22 23 24
 */

/* Return all points that are next to a point of the set, including points of the set itself. */
static inline u32 neighbours(u32 mask)
{
    return (mask << SIZE & FULL) | mask >> SIZE | (mask << 1 & FULL & ~WEST) | (mask >> 1 & ~EAST);
}

/* The macro EACH(f) expands to f(0), f(1), … for all points, so that the compiler can compute the constant tables below. */
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
 * A symmetry is a number of three bits. If bit 0 is set, the symmetry transposes the board. After that, bit 1 reverses the order
 * of the rows, and bit 2 reverses the order of the columns.
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
/* The symmetry INVERSE[s] undoes the symmetry s. The quarter turns 3 and 5 undo each other, and each other symmetry undoes
 * itself. */
static const u8 INVERSE[SYMMETRIES] = {0, 1, 2, 5, 4, 3, 6, 7};

/* Return the move whose image under the symmetry is `move`. PASS and NO_MOVE are their own images. */
static inline int image_back(int symmetry, int move)
{
    return IMAGE_OF[INVERSE[symmetry]][move];
}

/* The images of a set of points under the eight symmetries: 256 bits, the size of a vector register of AVX2. */
typedef struct {
    _Alignas(32) u32 at[SYMMETRIES];
} Images;

#define IMAGES(p) {{ BIT(IMAGE_0(p)), BIT(IMAGE_1(p)), BIT(IMAGE_2(p)), BIT(IMAGE_3(p)), \
                     BIT(IMAGE_4(p)), BIT(IMAGE_5(p)), BIT(IMAGE_6(p)), BIT(IMAGE_7(p)) }}
static const Images IMAGES_OF[POINTS] = { EACH(IMAGES) };

/* Return the images of a set after toggling the points of `mask`: points that are in the set are removed, and the other points
 * are added. A move changes few points, so toggling them is cheaper than calling images_of(). */
static inline Images toggled(const Images *images, u32 mask)
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
    return toggled(&NONE, mask);
}

/* --- groups ---------------------------------------------------------------------------------
 *
 * Each group of a side has a lane, which is one of 16 numbers in two vectors. The order of the groups is arbitrary, and an unused
 * lane is 0. A few vector instructions compute a property of all groups, without a loop over groups and without a branch.
 *
 *     . X X O .     X's groups        lane 0                lane 1          lanes 2 to 15
 *     X . . . O     group             {1, 2}                {5}             {}
 *     . . . . .     around            {0, 1, 2, 3, 6, 7}    {0, 6, 10}      {}
 *     . . . . .     liberties         {0, 6, 7}             {0, 6, 10}      {}
 *     . . . . .
 *
 * The set `around` contains all points next to a stone of the group: empty points, the opponent's stones, and most stones of the
 * group itself. So `around` changes only if the group changes. The liberties of the group are `around & empty`.
 */

typedef u32 Lanes __attribute__((vector_size(4 * LANES)));

/* A table with a set of points for each group of a side. */
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
    Groups around;           /* all points next to a stone of each group, both empty and occupied points */
    Groups liberties;        /* the liberties of each group; find_liberties() sets this field */
    u32 in_atari;            /* the liberties of all groups with one liberty; sort_liberties() sets this field */
    u32 not_in_atari;        /* the liberties of all groups with two liberties or more; sort_liberties() sets this field */
} Side;

typedef struct {
    Side me, opp;
    Images me_images, opp_images; /* the images of the stones of `me` and `opp`; not set if no table is used */
    int ko;                  /* the point that the ko rule forbids, or NO_KO */
    int last, before;        /* the opponent's last move, and the mover's own last move; PASS if the move is unknown */
} Node;

/* Return the union of the sets in all lanes. */
static inline u32 union_of(const Groups *groups)
{
    typedef u64 Pair __attribute__((vector_size(16)));
    union { Lanes lanes; Pair half[2]; } both = {groups->half[0] | groups->half[1]};
    Pair pair = both.half[0] | both.half[1];
    u64 united = pair[0] | pair[1];
    return (u32)(united | united >> 32);
}

/* Select the lanes of all groups that have no point in `mask`, and all unused lanes. In the result, all bits of a selected lane
 * are set, and every other lane is 0. */
static inline Groups lanes_without(const Groups *groups, u32 mask)
{
    Groups lanes;
    for (int i = 0; i < HALVES; i++)
        lanes.half[i] = (Lanes)((groups->half[i] & mask) == 0);
    return lanes;
}

/* Return the groups after setting every lane that is not selected to 0. */
static inline Groups keep_lanes(const Groups *groups, const Groups *lanes)
{
    Groups kept;
    for (int i = 0; i < HALVES; i++)
        kept.half[i] = groups->half[i] & lanes->half[i];
    return kept;
}

/* Return the groups after setting every selected lane to 0. */
static inline Groups clear_lanes(const Groups *groups, const Groups *lanes)
{
    Groups kept;
    for (int i = 0; i < HALVES; i++)
        kept.half[i] = groups->half[i] & ~lanes->half[i];
    return kept;
}

/* Find the groups of a set of stones. Do not set the liberties of the groups. */
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

/* Return the mover's stones minus the opponent's. */
static inline int margin_of(const Node *node)
{
    return popcount(node->me.stones) - popcount(node->opp.stones);
}

static inline void find_liberties(Side *side, u32 empty)
{
    for (int i = 0; i < HALVES; i++)
        side->liberties.half[i] = side->around.half[i] & empty;
}

/* Find the liberties of each group, the union of the liberties of all groups in atari, and the union of the liberties of all
 * other groups. A point can be in both unions. */
static inline void sort_liberties(Side *side, u32 empty)
{
    Groups one, more;
    find_liberties(side, empty);
    for (int i = 0; i < HALVES; i++) {
        Lanes liberties = side->liberties.half[i], has_two = (Lanes)((liberties & (liberties - 1)) != 0);
        one.half[i] = liberties & ~has_two;
        more.half[i] = liberties & has_two;
    }
    side->in_atari = union_of(&one);
    side->not_in_atari = union_of(&more);
}

/* Select the lanes of the groups that have exactly two liberties. Call find_liberties() first. */
static inline Groups lanes_with_two(const Side *side)
{
    Groups lanes;
    for (int i = 0; i < HALVES; i++) {
        Lanes liberties = side->liberties.half[i], but_one = liberties & (liberties - 1);
        lanes.half[i] = (Lanes)(but_one != 0) & (Lanes)((but_one & (but_one - 1)) == 0);
    }
    return lanes;
}

/* Return the liberties of all groups that have exactly two liberties. Call find_liberties() first. */
static inline u32 two_liberty_points(const Side *side)
{
    Groups lanes = lanes_with_two(side), two = keep_lanes(&side->liberties, &lanes);
    return union_of(&two);
}

static void fill_node(Node *node, const Position *position)
{
    fill_side(&node->me, position->me);
    fill_side(&node->opp, position->opp);
    node->me_images = images_of(position->me);
    node->opp_images = images_of(position->opp);
    node->ko = position->ko;
    node->last = node->before = PASS;
    sort_liberties(&node->me, empty_points(node));
    sort_liberties(&node->opp, empty_points(node));
}

/* Return the stones of a side that a stone of the other side captures. The parameter `stone` is a mask with one bit. Call
 * find_liberties(side) first. */
static inline u32 captured_by(const Side *side, u32 stone)
{
    Groups taken;
    for (int i = 0; i < HALVES; i++)
        taken.half[i] = side->group.half[i] & (Lanes)(side->liberties.half[i] == stone);
    return union_of(&taken);
}

/* Return the ko point after a move that captures the stones `taken`, or NO_KO. There is a ko if a single stone has captured a
 * single stone and has no other liberty. Only in this case can the opponent's next move restore the board before the capture. */
static inline int ko_after(const Node *node, int point, u32 taken)
{
    bool lone = taken && one_bit_at_most(taken) && !(NEIGHBOURS[point] & ~node->opp.stones);
    return lone ? lowest(taken) : NO_KO;
}

/* Add a stone to a side, merge the groups next to the stone into one group, and write the result to `after`. Do not set the
 * liberties. The function is not inlined, because a copy in each caller makes the WebAssembly module 7 % larger and not faster.
 * */
__attribute__((noinline)) static void join(Side *after, const Side *side, int point)
{
    u32 stone = BIT(point), near = NEIGHBOURS[point];
    Groups alone = lanes_without(&side->group, near), free;
    Groups groups = clear_lanes(&side->group, &alone), arounds = clear_lanes(&side->around, &alone);
    u32 group = stone | union_of(&groups), around = near | union_of(&arounds);
    groups = keep_lanes(&side->group, &alone);
    arounds = keep_lanes(&side->around, &alone);
    for (int i = 0; i < HALVES; i++)
        free.half[i] = LANE_BIT.half[i] & (Lanes)(groups.half[i] == 0);
    u32 lane = lowest_bit(union_of(&free));
    for (int i = 0; i < HALVES; i++) {
        Lanes here = (Lanes)(LANE_BIT.half[i] == lane);
        after->group.half[i] = groups.half[i] | (here & group);
        after->around.half[i] = arounds.half[i] | (here & around);
    }
    after->stones = side->stones | stone;
}

/* Set `child` to the position after a legal stone that captures the stones `taken`. The mover becomes the opponent of the new
 * position. Do not set images and liberties. */
static void play(Node *child, const Node *node, int point, u32 taken)
{
    Groups left = lanes_without(&node->opp.group, taken);
    join(&child->opp, &node->me, point);
    child->me.stones = node->opp.stones ^ taken;
    child->me.group = keep_lanes(&node->opp.group, &left);
    child->me.around = keep_lanes(&node->opp.around, &left);
    child->ko = ko_after(node, point, taken);
    child->last = point;
    child->before = node->last;
}

/* Set `child` to the position after a PASS. Do not set the images. */
static inline void play_pass(Node *child, const Node *node)
{
    child->me = node->opp;
    child->opp = node->me;
    child->ko = NO_KO;
    child->last = PASS;
    child->before = node->last;
}

/* Set the images of `child`, the position after a stone that captures the stones `taken`. */
static inline void play_images(Node *child, const Node *node, int point, u32 taken)
{
    child->opp_images = toggled(&node->me_images, BIT(point));
    child->me_images = toggled(&node->opp_images, taken);
}

static inline void pass_images(Node *child, const Node *node)
{
    child->me_images = node->opp_images;
    child->opp_images = node->me_images;
}

/* Return the legal points. A stone is legal if it has an empty neighbour, joins a group that is not in atari, or captures a
 * group. A stone on the ko point is always illegal. Call sort_liberties() for both sides first. */
static inline u32 legal_points(const Node *node, u32 empty)
{
    u32 legal = (empty & neighbours(empty)) | node->me.not_in_atari | node->opp.in_atari;
    return node->ko == NO_KO ? legal : legal & ~BIT(node->ko);
}

#endif
