/* The kernel as a single compilation unit. This file includes all parts, and defines the functions of kernel.h. */
#include "kernel_board.h"
#include "kernel_bounds.h"
#include "kernel_table.h"
#include "kernel_workers.h"
#include "kernel_last_plies.h"
#include "kernel_order.h"
#include "kernel_search.h"

enum {
    VERIFY_NODES = 100,        /* a node limit that is enough to find a bound in the table or to compute static bounds */
    GUESS_LEFT = 8,            /* the plies left in the first search of guess_of(); one more if an odd number of plies is left */
    WINNER_URGENCY = 100,      /* the urgency of a move that has not been decided for the first goal; larger than any goal */
    WORKER_URGENCY = 1000,     /* the urgency that a move loses for each worker that is searching it; larger than WINNER_URGENCY */
};

/* --- positions and their bounds ------------------------------------------------------------- */

void kernel_open(Kernel *kernel, void *table, uint64_t lines, uint64_t seed)
{
    kernel->table = table;
    kernel->last_line = lines - 1;
    kernel->small_table = (u64 *)(((uintptr_t)kernel->small_table_room + LINE_BYTES - 1) & ~(uintptr_t)(LINE_BYTES - 1));
    if (seed)
        for (int left = 0; left <= MOST_LEFT; left++)
            for (int point = 0; point < POINTS; point++)
                kernel->by_point[left][0][point] = kernel->by_point[left][1][point] =
                    (int16_t)(mix(mix(seed) + left * POINTS + point) % RECORD_SPREAD);
}

/* Return the slot of a position. If fewer than TABLE_LEFT plies are left, the caller must not use the slot. */
static inline Slot slot_of(const Kernel *kernel, const Position *position)
{
    Node node;
    fill_node(&node, position);
    return locate(kernel, &node.me_images, &node.opp_images, position->ko, position->left, position->pass_ends);
}

void kernel_teach(Kernel *kernel, const Position *position, const Answer *answer)
{
    if (position->left >= TABLE_LEFT) {
        Slot slot = slot_of(kernel, position);
        store(&slot, answer->lo, answer->hi, answer->best, answer->nodes);
    }
}

/* Return the stored bounds and the stored move of a position. If the table has no entry, return the widest bounds and NO_MOVE. */
static Answer stored_bounds(const Kernel *kernel, const Position *position)
{
    Slot slot = slot_of(kernel, position);
    u64 entry = position->left >= TABLE_LEFT ? probe(&slot) : 0;
    if (!entry)
        return (Answer){-MOST_VALUE, MOST_VALUE, NO_MOVE, 0};
    return (Answer){max(entry_lo(entry), -MOST_VALUE), min(entry_hi(entry), MOST_VALUE),
                    image_back(slot.symmetry, entry_move(entry)), 0};
}

/* Search whether the mover's value reaches `goal`, and return all bounds that are then proven. The move in the result is the
 * table's move, or NO_MOVE. A node_limit of 0 means that there is no limit. */
static Answer search_bounds(Kernel *kernel, const Position *position, int goal, u64 node_limit)
{
    Node node;
    fill_node(&node, position);
    kernel->node_limit = node_limit ? kernel->nodes + node_limit : 0;
    kernel->stopped = kernel->was_interrupted = false;
    /* Make the next check earlier if the node limit requires it. Never make the check later, because otherwise an interrupt could
     * not end a series of short searches. */
    if (kernel->node_limit && kernel->node_limit < kernel->next_check)
        kernel->next_check = kernel->node_limit;
    int result = decide(kernel, &node, position->left, position->pass_ends, goal, true, NULL);
    Answer answer = stored_bounds(kernel, position);
    if (!kernel->stopped) {
        if (result >= goal)
            answer.lo = max(answer.lo, result);
        else
            answer.hi = min(answer.hi, result);
    }
    return answer;
}

__attribute__((noinline)) static Position position_after(const Position *position, int move)
{
    Node node, child;
    fill_node(&node, position);
    if (move == PASS) {
        play_pass(&child, &node);
    } else {
        u32 stone = BIT(move);
        play(&child, &node, move, captured_by(&node.opp, stone));
    }
    bool over = move == PASS && position->pass_ends;
    return (Position){child.me.stones, child.opp.stones, child.ko, over ? 0 : position->left - 1, move == PASS};
}

/* Return whether a search with this node limit proves that the value of a move is at least `lo`. */
static bool keeps_bound(Kernel *kernel, const Position *position, int move, int lo, u64 node_limit)
{
    Position child = position_after(position, move);
    if (child.left == 0)
        return popcount(child.opp) - popcount(child.me) >= lo;
    return -search_bounds(kernel, &child, 1 - lo, node_limit).hi >= lo;
}

/* Return the points on which the mover can play a stone. */
static u32 legal_of(const Position *position)
{
    Node node;
    fill_node(&node, position);
    return legal_points(&node, empty_points(&node));
}

static int first_legal_move(const Position *position)
{
    u32 legal = legal_of(position);
    return legal ? lowest(legal) : PASS;
}

/* List the moves, beginning with those that are most likely to keep a lower bound, and return the number of listed moves. The move
 * `best` comes first, unless it is NO_MOVE. Up to two moves are listed twice. */
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
    Answer answer = search_bounds(kernel, position, goal, node_limit);
    int moves[MOST_MOVES + 2], count = likely_moves(position, answer.best, moves);
    bool decided = answer.lo >= goal, kept = false;
    /* If the value reaches the goal, at least one move keeps the lower bound. Otherwise it is possible that no move keeps the
     * bound, so only the stored move is tried. */
    if (!decided)
        count = answer.best != NO_MOVE;
    u64 limit = 0;
    if (node_limit || !decided) {
        u64 spent = kernel->nodes - before;
        limit = node_limit > spent + VERIFY_NODES ? node_limit - spent : VERIFY_NODES;
    }
    for (int i = 0; i < count && !kept && !kernel->was_interrupted; i++) {
        kept = keeps_bound(kernel, position, moves[i], answer.lo, limit);
        if (kept)
            answer.best = moves[i];
    }
    if (!kept) {
        /* The answer contains a lower bound only together with a move that keeps this bound. */
        answer.lo = -MOST_VALUE;
        if (answer.best == NO_MOVE)
            answer.best = first_legal_move(position);
    }
    answer.nodes = kernel->nodes - before;
    return answer;
}

/* Guess the value of a position from searches of the same board with fewer plies left. The first search has about GUESS_LEFT plies
 * left, each further search has two plies more, and the last search has two plies fewer than the position. Each result is the first
 * guess of the next search, because the results differ little. All these searches together cost little. The number of plies changes
 * by two, so the same side always has the last ply. */
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
            Answer answer = search_bounds(kernel, &shorter, goal, node_limit ? node_limit - spent : 0);
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
        known.best = first_legal_move(position);
    known.nodes = kernel->nodes - before;
    return known;
}

/* --- all moves of a position ----------------------------------------------------------------
 * Both bounds of a move are in one word: hi + MOST_VALUE in bits 0 to 7, and lo + MOST_VALUE in the bits above. So another worker
 * never reads a new bound together with an outdated bound.
 */

enum { PACKED_LO_AT = 8, PACKED_HI_MASK = 255 };

static inline u32 packed(int lo, int hi) { return (u32)(lo + MOST_VALUE) << PACKED_LO_AT | (u32)(hi + MOST_VALUE); }
static inline int packed_lo(u32 bounds) { return (int)(bounds >> PACKED_LO_AT) - MOST_VALUE; }
static inline int packed_hi(u32 bounds) { return (int)(bounds & PACKED_HI_MASK) - MOST_VALUE; }
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
        value->after = position_after(position, value->move);
        value->guess = popcount(value->after.opp) - popcount(value->after.me);
        bool over = value->after.left == 0;
        value->bounds = over ? packed(value->guess, value->guess) : packed(-MOST_VALUE, MOST_VALUE);
        value->workers = 0;
        value->nodes = 0;
    }
}

/* Return the move to search next, and set `goal` to the goal of the search. Return NULL if all values are exact. Choose among the
 * moves with the fewest workers: first a move that is not decided for values->first, and otherwise the move with the highest
 * goal. */
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
        int urgency = (undecided ? WINNER_URGENCY : asked) - WORKER_URGENCY * __atomic_load_n(&value->workers, __ATOMIC_RELAXED);
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
        Answer answer = search_bounds(kernel, &value->after, 1 - goal, node_limit ? node_limit - (before - begun) : 0);
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
    sort_liberties(&node->me, empty);
    sort_liberties(&node->opp, empty);
    legal = legal_points(node, empty);
    if (depth == 1)
        return popcount(legal) + count_pass;
    for (; legal; legal &= legal - 1) {
        u32 stone = lowest_bit(legal);
        play(&child, node, lowest(stone), stone & node->opp.in_atari ? captured_by(&node->opp, stone) : 0);
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
        u32 stone = lowest_bit(legal), mover, other;
        play(&child, &node, lowest(stone), captured_by(&node.opp, stone));
        mover = child.opp.stones;
        other = child.me.stones;
        if (moves)
            moves[n] = (uint8_t)lowest(stone);
        children[n++] = canonical(black_moves ? mover : other, black_moves ? other : mover, child.ko, left - 1, false);
    }
    /* A PASS on the first ply also ends the game, because the board does not change. */
    bool over = key_passed(key) || left == GAME_PLIES;
    if (moves)
        moves[n] = PASS;
    children[n++] = canonical(black, white, NO_KO, over ? 0 : left - 1, true);
    return n;
}
