/* The order in which the kernel tries moves. Part of kernel.c. */
#ifndef LITTLE_GO_KERNEL_ORDER_H
#define LITTLE_GO_KERNEL_ORDER_H

#include "kernel_table.h"

enum {
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

#endif
