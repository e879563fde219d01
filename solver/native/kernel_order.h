/* Part of kernel.c: the order in which decide() tries moves, which depends on features of the moves and on records of
 * searches. */
#ifndef LITTLE_GO_KERNEL_ORDER_H
#define LITTLE_GO_KERNEL_ORDER_H

#include "kernel_table.h"

enum {
    PASS_RANK = 1 << 28,       /* the rank of PASS is -PASS_RANK, which is below the rank of every stone */
    RECORD_WEIGHT = 120,       /* the weight, in units of 1/256, of the sum of a move's four records in the rank of the move */
    DEFERRED = 1 << 30,        /* the number subtracted from a move's rank if another worker is searching the position after it */
    LEAST_RANK = -2 * PASS_RANK,   /* a number below the rank of every move that is not deferred */
    RECORD_LIMIT = 2048,       /* the outcome of a move that reaches the goal at the usual cost; -RECORD_LIMIT if the move fails */
    CHEAPER = 192,             /* the number that each halving of the cost adds to the outcome, and each doubling subtracts */
    COST_SHIFT = 4,            /* the usual cost moves towards the cost of a move by 1 / 2**COST_SHIFT of the difference */
    RARE_LEFT = 10,            /* the smallest number of plies left at which ranks also use the records of nodes with two plies fewer */
    SHORTER_WEIGHT = 3,        /* the weight of the records for two plies fewer, in units of 1/4 */
    RECORD_SHIFT = 2,          /* a record moves towards an outcome by 1 / 2**RECORD_SHIFT of the difference */
    RECORD_SPREAD = 512,       /* the number of different initial values, from 0 up, of the records that depend on a seed */
    ABOVE = 3, BESIDE = 15 << 2, BELOW = 3 << 6,   /* masks of the bits of shape_at() for the neighbours in each direction */
    LOG_SHIFT = 10,            /* the number of binary digits after the point in the logarithms of log_of() */
};

typedef struct {
    int count;
    int move[MOST_MOVES];
    int rank[MOST_MOVES];
    u32 taken[MOST_MOVES];  /* the stones that each move captures */
    Slot slot[MOST_MOVES];  /* the slot of the position after each move, if decide() has located this slot */
} Moves;

/* List a move for each point of `legal`, and PASS as the last move. Do not set ranks and slots. */
static inline void list_moves(Moves *moves, const Node *node, u32 legal)
{
    moves->count = 0;
    for (; legal; legal &= legal - 1) {
        u32 stone = lowest_bit(legal);
        moves->move[moves->count] = lowest(stone);
        moves->taken[moves->count++] = stone & node->opp.in_atari ? captured_by(&node->opp, stone) : 0;
    }
    moves->move[moves->count] = PASS;
    moves->taken[moves->count++] = 0;
}

/* Remove the move with index i, and put the last move into its place. */
static inline void remove_move(Moves *moves, int i)
{
    int last = --moves->count;
    moves->move[i] = moves->move[last];
    moves->rank[i] = moves->rank[last];
    moves->taken[i] = moves->taken[last];
    moves->slot[i] = moves->slot[last];
}

/* Return the index of the first move with the highest rank. */
static inline int best_ranked(const Moves *moves)
{
    int best = 0;
    for (int i = 1; i < moves->count; i++)
        if (moves->rank[i] > moves->rank[best])
            best = i;
    return best;
}

/* --- ranks and records ----------------------------------------------------------------------
 * The order of moves influences the size of the search tree, but never the result. The rank of a move is the sum of two parts:
 *
 * - The weights of the move's features (RANKS), which are constant. A weight is 1024 times the logarithm of the factor by which the
 *   feature raises the probability that the move is the best one to try first. The weights were fitted by multinomial logistic
 *   regression to searches of all moves of 9,116 nodes, weighted by the cost of each move. RANKS has two sets of weights. The first
 *   set is for a mover whose margin already reaches the goal, and the second set is for a mover who must gain stones (`gain`).
 * - Records of the outcomes of the move at other nodes of this search with the same number of plies left. A record is a moving
 *   average of outcomes. Each move has four records, one for each of these contexts:
 *
 *       by_point[left][gain][point]          the move whatever the moves before it
 *       reply[left][last move][point]        the move as an answer to the opponent's last move
 *       follow[left][move before][point]     the move as a continuation of the mover's own last move
 *       shape[left][point][neighbours]       the move with these stones around the point
 *
 *   The outcome is 2048 if the move reached the goal at the usual cost, higher if the move was cheaper, and -2048 if the move
 *   failed. After each outcome a record moves towards the outcome by a quarter of the difference. After three outcomes of 2048, a
 *   record that begins at 0 has become 512, 896 and 1184.
 */

/* The weights of the features of a stone. The merged group is the own group that contains the new stone. */
typedef struct {
    int32_t place[6];          /* the weight of each kind of point (PLACE_OF) */
    int32_t takes;             /* the weight of a stone that captures */
    int32_t saves;             /* the weight of a stone that fills the last liberty of an own group */
    int32_t saves_stone;       /* the weight of each stone of the own groups whose last liberty is filled */
    int32_t escapes;           /* the weight of a stone that fills the last liberty of an own group, and gives it two or more */
    int32_t threatens;         /* the weight of a stone that puts a group of the opponent in atari */
    int32_t threatens_stone;   /* the weight of each stone of the opponent's groups that are put in atari */
    int32_t props;             /* the weight of a stone that fills a liberty of an own group with two liberties */
    int32_t props_well;        /* the additional weight if the merged group then has three liberties or more */
    int32_t liberties[4];      /* the weights of 0 to 3 liberties of the merged group; the weight of four or more is 0 */
    int32_t lost_stone;        /* the weight of each stone of the merged group, if the group has only one liberty */
    int32_t own, other;        /* the weights of each neighbouring own stone, and of each neighbouring stone of the opponent */
    int32_t touches;           /* the weight of a stone with at least one neighbouring stone of the opponent */
    int32_t free;              /* the weight of each empty neighbour */
    int32_t fills_eye;         /* the weight of a stone whose neighbours are all own stones */
} Ranks;

static const Ranks RANKS[2] = {
    {.place = {-279, -187, -57, 135, 739, 783}, .takes = 1239, .saves = -8, .saves_stone = 365, .escapes = 269,
     .threatens = 635, .threatens_stone = 43, .props = -19, .props_well = 242, .liberties = {0, -516, -548, -225},
     .lost_stone = -602, .own = -5, .other = 156, .touches = 330, .free = 183, .fills_eye = 175},
    {.place = {-341, -247, -37, 166, 829, 1159}, .takes = 1150, .saves = 580, .saves_stone = 168, .escapes = 904,
     .threatens = 469, .threatens_stone = 156, .props = 619, .props_well = -82, .liberties = {0, -689, -708, -152},
     .lost_stone = -1206, .own = -145, .other = 305, .touches = 648, .free = 237, .fills_eye = -141},
};

/* A point of the 5x5 board has one of six kinds, which depends on its distances from the edges. Smaller boards have only the
 * kinds near the corners:
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

/* Return the stones of all groups of the side that have exactly two liberties if one of these liberties is the point `stone`. The
 * parameter `two` is the result of lanes_with_two() for the side. */
static inline u32 threatened_stones(const Side *side, const Groups *two, u32 stone)
{
    Groups groups;
    for (int i = 0; i < HALVES; i++)
        groups.half[i] = side->group.half[i] & two->half[i] & (Lanes)((side->liberties.half[i] & stone) != 0);
    return union_of(&groups);
}

/* Return the sum of the weights of a stone's features. The stone captures the stones `taken`. The parameters me_two and opp_two
 * are the results of two_liberty_points() for the mover and for the opponent. */
static int rank_of(const Node *node, const Ranks *ranks, u32 empty, int point, u32 taken, u32 me_two, u32 opp_two)
{
    u32 stone = BIT(point), near = NEIGHBOURS[point];
    Groups alone = lanes_without(&node->me.group, near), arounds = clear_lanes(&node->me.around, &alone);
    int liberties = popcount((near | union_of(&arounds)) & ((empty ^ stone) | taken));
    int own = popcount(near & node->me.stones), other = popcount(near & node->opp.stones), free = popcount(near & empty);
    int rank = ranks->place[PLACE_OF[point]] + own * ranks->own + other * ranks->other + free * ranks->free;
    rank += other ? ranks->touches : free ? 0 : ranks->fills_eye;
    if (liberties < 4)
        rank += ranks->liberties[liberties];
    if (liberties == 1) {
        Groups joined = clear_lanes(&node->me.group, &alone);
        rank += (1 + popcount(union_of(&joined))) * ranks->lost_stone;
    }
    if (taken)
        rank += ranks->takes;
    if (stone & node->me.in_atari)
        rank += ranks->saves + popcount(captured_by(&node->me, stone)) * ranks->saves_stone + (liberties > 1) * ranks->escapes;
    if (stone & me_two)
        rank += ranks->props + (liberties > 2) * ranks->props_well;
    if (stone & opp_two) {
        Groups two = lanes_with_two(&node->opp);
        rank += ranks->threatens + popcount(threatened_stones(&node->opp, &two, stone)) * ranks->threatens_stone;
    }
    return rank;
}

/* Return the state of the four neighbours of a point, with two bits for each neighbour: 0 if the neighbour is empty or off the
 * board, 1 if it is a stone of the mover, 2 if it is a stone of the opponent. The function shifts the mover's mask so that the
 * point above is bit 0 and the point below is bit 2 * SIZE. It shifts the opponent's mask by one more bit. Then it moves the bits
 * of the four neighbours to these places:
 *
 *     bit  7 .. 6   5 .. 2          1 .. 0
 *          below    right, left     above
 */
static inline int shape_at(const Node *node, int point)
{
    u32 near = NEIGHBOURS[point];
    u64 me = (u64)(node->me.stones & near) << SIZE, opp = (u64)(node->opp.stones & near) << (SIZE + 1);
    u32 cross = (u32)(me >> point) | (u32)(opp >> point);
    return (int)((cross & ABOVE) | (cross >> (SIZE - 3) & BESIDE) | (cross >> (2 * SIZE - 6) & BELOW));
}

/* The records of the moves of a node. The records `shape` are indexed by point and shape, and the other records are indexed by
 * point. */
typedef struct {
    int16_t *by_point, *reply, *follow, (*shape)[SHAPES];
} Records;

static inline Records records_of(Kernel *kernel, const Node *node, int left, bool gain)
{
    return (Records){kernel->by_point[left][gain], kernel->reply[left][node->last], kernel->follow[left][node->before],
                     kernel->shape[left]};
}

/* Return the sum of a move's four records. */
static inline int sum_of_records(const Records *records, int point, int shape)
{
    return records->by_point[point] + records->reply[point] + records->follow[point] + records->shape[point][shape];
}

/* Set the ranks of all moves. PASS gets the lowest rank. The parameter `gain` states whether the goal is above the current
 * margin. */
static void rank_moves(Moves *moves, Kernel *kernel, const Node *node, u32 empty, int left, bool gain)
{
    bool rare = left >= RARE_LEFT;
    Records records = records_of(kernel, node, left, gain), shorter = records_of(kernel, node, left - 2 * rare, gain);
    u32 me_two = two_liberty_points(&node->me), opp_two = two_liberty_points(&node->opp);
    for (int i = 0; i < moves->count; i++) {
        int point = moves->move[i];
        if (point == PASS) {
            moves->rank[i] = -PASS_RANK;
            continue;
        }
        int shape = shape_at(node, point), record = sum_of_records(&records, point, shape);
        if (rare)
            record += sum_of_records(&shorter, point, shape) * SHORTER_WEIGHT >> 2;
        moves->rank[i] = rank_of(node, &RANKS[gain], empty, point, moves->taken[i], me_two, opp_two)
            + (record * RECORD_WEIGHT >> 8);
    }
}

/* Move the four records of a stone towards an outcome. Inlining this function would make the WebAssembly module larger, but not
 * faster. */
__attribute__((noinline)) static void update_records(const Records *records, const Node *node, int point, int outcome)
{
    int16_t *all[] = {&records->by_point[point], &records->reply[point], &records->follow[point],
                      &records->shape[point][shape_at(node, point)]};
    for (int i = 0; i < 4; i++)
        *all[i] = (int16_t)(*all[i] + ((outcome - *all[i]) >> RECORD_SHIFT));
}

/* Return 1024 times the binary logarithm of a number of nodes, which must be at least 1. Between powers of two the logarithm is
 * interpolated linearly: the bits below the highest set bit become the fraction. */
static inline int log_of(u64 nodes)
{
    int bits = 63 - __builtin_clzll(nodes);
    return bits << LOG_SHIFT | (int)(nodes << (63 - bits) << 1 >> (64 - LOG_SHIFT));
}

/* Record that `move` reached the goal after a search of `nodes` nodes, and that the stones on the points `failed` were searched
 * before `move` and did not reach the goal. The records `reply` and `follow` are similar to the continuation history of Stockfish.
 * The outcome depends on the cost, because nearly every move that is tried first reaches the goal, so success alone would
 * distinguish few moves. PASS has no records. */
static inline void learn_from(Kernel *kernel, const Node *node, int left, bool gain, int move, u32 failed, u64 nodes)
{
    Records records = records_of(kernel, node, left, gain);
    int32_t *usual = &kernel->usual_cost[left][gain], dearer;
    if (move == PASS)
        return;
    for (; failed; failed &= failed - 1)
        update_records(&records, node, lowest(failed), -RECORD_LIMIT);
    dearer = log_of(nodes) - *usual;
    *usual += dearer >> COST_SHIFT;
    update_records(&records, node, move, max(min(RECORD_LIMIT - (dearer * CHEAPER >> LOG_SHIFT), 2 * RECORD_LIMIT), -RECORD_LIMIT));
}

#endif
