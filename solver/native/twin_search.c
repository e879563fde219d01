#include "twin_search.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;

enum { SIZE = 5, POINTS = EXACT_POINTS, LEAST = -24, MOST = 24, HINT_LEFT = 6, POLL_NODES = 1000 };

#define FULL ((1u << POINTS) - 1)
#define WEST (FULL / ((1u << SIZE) - 1))
#define EAST (WEST << (SIZE - 1))
#define NO_HINT UINT32_MAX

/* The points with four neighbours, with three neighbours, and with two neighbours. Moves are listed in this order. */
static const u32 WITH_NEIGHBOURS[3] = {0x00739C0u, 0x0E8C62Eu, 0x1100011u};

static const double RANK_NEIGHBOUR = 1.68, RANK_CAPTURED = 1.4, RANK_PASS = -4.2, RANK_HISTORY = 10.0;
static const double HISTORY_GAIN = 0.28, HISTORY_LOSS = 0.6, RANK_HINT = 1000.0;

static inline int popcount(u32 x) { return __builtin_popcount(x); }
static inline int lowest(u32 x) { return __builtin_ctz(x); }
static inline bool one_bit_at_most(u32 x) { return (x & (x - 1)) == 0; }
static inline int place(u32 bit) { return bit ? lowest(bit) : POINTS; }

static inline u32 neighbours(u32 mask)
{
    return (mask << SIZE & FULL) | mask >> SIZE | (mask << 1 & FULL & ~WEST) | (mask >> 1 & ~EAST);
}

static inline u32 mixed(u64 key, int bits)
{
    key *= 0x9E3779B97F4A7C15u;
    key ^= key >> 29;
    key *= 0xD6E8FEB86659FD93u;
    return (u32)(key >> (64 - bits));
}

/* --- tables ---------------------------------------------------------------------------------- */

/* Return the key of a position. A key of the table contains the number of plies left. For a key of the hints, `left` is 0. */
static inline u64 key_of(u32 me, u32 opp, u32 ko, int left)
{
    return me | (u64)opp << 25 | (u64)(ko ? lowest(ko) + 1 : 0) << 50 | (u64)left << 55;
}

static ExactEntry *find(ExactEntry *entries, const u32 *heads, int bits, u64 key)
{
    for (u32 at = heads[mixed(key, bits)]; at; at = entries[at - 1].next)
        if (entries[at - 1].key == key)
            return &entries[at - 1];
    return 0;
}

static void put(ExactEntry *entries, u32 *heads, int bits, u32 *count, u64 key, u32 value)
{
    u32 *head = &heads[mixed(key, bits)];
    entries[*count] = (ExactEntry){key, *head, value};
    *head = ++*count;
}

static inline u32 bounds_of(int low, int high) { return (u32)(low - LEAST) << 8 | (u32)(high - LEAST); }
static inline int low_of(u32 bounds) { return (int)(bounds >> 8) + LEAST; }
static inline int high_of(u32 bounds) { return (int)(bounds & 255) + LEAST; }

/* Make the array of heads four times as large. The array is small at first, so that it fits into the processor's cache during a
 * short search. Its largest size is the capacity of the table. */
static void grow_table(Exact *exact)
{
    u32 count = exact->table_count, done = 0;
    for (u32 i = 0; i < 1u << exact->table_bits; i++)
        exact->table_heads[i] = 0;
    exact->table_bits += 2;
    while (done < count)
        put(exact->table, exact->table_heads, exact->table_bits, &done, exact->table[done].key, exact->table[done].value);
}

static void store_bounds(Exact *exact, u64 key, int left, u32 bounds)
{
    ExactEntry *entry = find(exact->table, exact->table_heads, exact->table_bits, key);
    if (entry) {
        entry->value = bounds;
        return;
    }
    if (exact->table_count >> exact->table_bits && exact->table_bits < TABLE_BITS)
        grow_table(exact);
    put(exact->table, exact->table_heads, exact->table_bits, &exact->table_count, key, bounds);
    exact->by_left[left]++;
}

static u32 hint_of(const Exact *exact, u64 key)
{
    const ExactEntry *entry = find((ExactEntry *)exact->hints, exact->hint_heads, HINT_BITS, key);
    return entry ? entry->value : NO_HINT;
}

static void set_hint(Exact *exact, u64 key, u32 bit)
{
    ExactEntry *entry = find(exact->hints, exact->hint_heads, HINT_BITS, key);
    if (entry)
        entry->value = bit;
    else
        put(exact->hints, exact->hint_heads, HINT_BITS, &exact->hint_count, key, bit);
}

/* Remove all entries. Clear only the heads in use, because this is faster after a short search. */
static void clear(ExactEntry *entries, u32 *heads, int bits, u32 *count)
{
    for (u32 i = 0; i < *count; i++)
        heads[mixed(entries[i].key, bits)] = 0;
    *count = 0;
}

static void clear_cache(Exact *exact)
{
    for (u32 i = 0; i < exact->cache_count; i++)
        exact->cache_heads[mixed(exact->cache[i].stones, CACHE_BITS)] = 0;
    exact->cache_count = 0;
}

/* Remove the entries with the fewest plies left until the table is small enough. */
static void trim_table(Exact *exact)
{
    int from = 0;
    u32 size = exact->table_count, kept = 0;
    for (; size > TABLE_LIMIT && from < POINTS; from++)
        size -= exact->by_left[from];
    if (!from)
        return;
    u32 count = exact->table_count;
    for (u32 i = 0; i < count; i++)
        exact->table_heads[mixed(exact->table[i].key, exact->table_bits)] = 0;
    for (u32 i = 0; i < count; i++) {
        ExactEntry entry = exact->table[i];
        if ((int)(entry.key >> 55) >= from)
            put(exact->table, exact->table_heads, exact->table_bits, &kept, entry.key, entry.value);
    }
    exact->table_count = kept;
    for (int left = 0; left < from; left++)
        exact->by_left[left] = 0;
}

static ExactGroups *cached(Exact *exact, u32 stones)
{
    for (u32 at = exact->cache_heads[mixed(stones, CACHE_BITS)]; at; at = exact->cache[at - 1].next)
        if (exact->cache[at - 1].stones == stones)
            return &exact->cache[at - 1];
    return 0;
}

static ExactGroups *new_groups(Exact *exact, u32 stones)
{
    u32 *head = &exact->cache_heads[mixed(stones, CACHE_BITS)];
    ExactGroups *groups = &exact->cache[exact->cache_count];
    groups->stones = stones;
    groups->next = *head;
    groups->count = 0;
    *head = ++exact->cache_count;
    return groups;
}

static inline void add_group(ExactGroups *groups, u32 near, u32 group, int size)
{
    u32 at = groups->count++;
    groups->near[at] = near;
    groups->group[at] = group;
    groups->size[at] = (u8)size;
}

static void add_new_group(ExactGroups *groups, u32 group)
{
    add_group(groups, neighbours(group) & ~group, group, popcount(group));
}

/* Return the groups of `stones` from the cache. If the cache does not contain the groups, find them as GroupCache.__missing__
 * does. */
static const ExactGroups *groups_of(Exact *exact, u32 stones)
{
    ExactGroups *groups = cached(exact, stones);
    if (groups)
        return groups;
    groups = new_groups(exact, stones);
    for (u32 rest = stones; rest;) {
        u32 group = rest & -rest;
        for (u32 grown; (grown = (group | neighbours(group)) & rest) != group;)
            group = grown;
        rest ^= group;
        add_new_group(groups, group);
    }
    return groups;
}

/* Return the groups of `stones` from the cache. If the cache does not contain the groups, add `stone` to the groups `own` as
 * GroupCache.extend does. For a PASS, `stone` is 0. */
static const ExactGroups *extended(Exact *exact, const ExactGroups *own, u32 stone, u32 stones)
{
    ExactGroups *groups = cached(exact, stones);
    if (groups)
        return groups;
    u32 joined = stone;
    groups = new_groups(exact, stones);
    for (u32 i = 0; i < own->count; i++)
        if (own->near[i] & stone)
            joined |= own->group[i];
        else
            add_group(groups, own->near[i], own->group[i], own->size[i]);
    add_new_group(groups, joined);
    return groups;
}

/* --- moves ----------------------------------------------------------------------------------- */

typedef struct { u32 bit; double rank; } Ranked;

static int list_moves(Ranked *moves, int count, u32 mask)
{
    for (int kind = 0; kind < 3; kind++)
        for (u32 points = mask & WITH_NEIGHBOURS[kind]; points; points &= points - 1)
            moves[count++] = (Ranked){points & -points, RANK_NEIGHBOUR * (4 - kind)};
    return count;
}

static int list_pass(Ranked *moves, int count)
{
    moves[count] = (Ranked){0, RANK_PASS};
    return count + 1;
}

/* Return the points on which a stone of the mover captures nothing and has a liberty. The parameter `captures` is the set of points
 * on which a stone captures. */
static u32 quiet_points(const ExactGroups *own, u32 empty, u32 captures)
{
    u32 points = neighbours(empty) & empty;
    if ((points | captures) != empty)
        for (u32 i = 0; i < own->count; i++) {
            u32 liberties = own->near[i] & empty;
            if (!one_bit_at_most(liberties))
                points |= liberties;
        }
    return points & ~captures;
}

/* Return the points on which a stone captures. For each of these points, store the stones that it captures in captured_at. */
static u32 captures_at(const ExactGroups *opp, u32 empty, u32 captured_at[POINTS])
{
    u32 captures = 0;
    for (u32 i = 0; i < opp->count; i++) {
        u32 liberties = opp->near[i] & empty;
        if (one_bit_at_most(liberties)) {
            if (!(captures & liberties))
                captured_at[lowest(liberties)] = 0;
            captures |= liberties;
            captured_at[lowest(liberties)] |= opp->group[i];
        }
    }
    return captures;
}

/* Return the mask of the ko point after a stone on `bit` has captured the stones `captured`. Return 0 if there is no ko. There is a
 * ko if a single stone captures a single stone and has no other liberty. */
static inline u32 ko_after(u32 bit, u32 captured, u32 opp)
{
    return one_bit_at_most(captured) && !(neighbours(bit) & ~opp) ? captured : 0;
}

/* --- the search ------------------------------------------------------------------------------ */

/* Stop the search if it has reached the node limit. Otherwise remove entries from each table that has more entries than its
 * limit. */
static void poll(Exact *exact)
{
    exact->next_poll = exact->nodes + POLL_NODES;
    if (exact->node_stop != UINT64_MAX) {
        if (exact->nodes >= exact->node_stop) {
            exact->stopped = true;
            return;
        }
        if (exact->node_stop < exact->next_poll)
            exact->next_poll = exact->node_stop;
    }
    if (exact->cache_count > CACHE_LIMIT)
        clear_cache(exact);
    if (exact->hint_count > HINT_LIMIT)
        clear(exact->hints, exact->hint_heads, HINT_BITS, &exact->hint_count);
    trim_table(exact);
}

/* Return the margin after the opponent's best reply, if this reply is the last ply of the game. The best reply is the stone that
 * captures the most stones. If no stone captures, all legal stones are equally good. If no stone is legal, the reply is PASS. The
 * parameter `result` is the margin before the reply. */
static int after_reply(Exact *exact, u32 me, u32 opp, u32 ko, int result)
{
    u32 after = FULL ^ (me | opp), seen = 0;
    int lost[POINTS], most = 0;
    const ExactGroups *own = groups_of(exact, me);
    for (u32 i = 0; i < own->count; i++) {
        u32 liberties = own->near[i] & after;
        if (one_bit_at_most(liberties) && liberties != ko) {
            int at = lowest(liberties);
            lost[at] = (seen & liberties ? lost[at] : 0) + own->size[i];
            seen |= liberties;
            if (lost[at] > most)
                most = lost[at];
        }
    }
    if (most)
        return result - 1 - most;
    if (neighbours(after) & after & ~ko)
        return result - 1;
    const ExactGroups *theirs = groups_of(exact, opp);
    for (u32 i = 0; i < theirs->count; i++)
        if (!one_bit_at_most(theirs->near[i] & after))
            return result - 1;
    return result;
}

static int last_two(Exact *exact, u32 me, u32 opp, u32 ko, int margin, int goal)
{
    u32 empty = FULL ^ (me | opp), captured_at[POINTS];
    u32 captures = captures_at(groups_of(exact, opp), empty, captured_at);
    if (!captures && margin + 1 < goal)
        return margin + 1;
    u32 legal = (neighbours(empty) & empty) | captures;
    if (legal != empty) {
        const ExactGroups *own = groups_of(exact, me);
        for (u32 i = 0; i < own->count; i++) {
            u32 liberties = own->near[i] & empty;
            if (!one_bit_at_most(liberties))
                legal |= liberties;
        }
    }
    legal &= ~ko;
    Ranked moves[POINTS + 1];
    int best = margin, count = list_moves(moves, list_moves(moves, 0, captures & legal), legal & ~captures);
    if (margin >= goal) {
        best = LEAST;
        count = list_pass(moves, count);
    }
    for (int i = 0; i < count; i++) {
        u32 bit = moves[i].bit, opp_after = opp, ko_now = 0;
        int result = margin;
        if (bit) {
            result++;
            if (bit & captures) {
                u32 captured = captured_at[lowest(bit)];
                opp_after ^= captured;
                result += popcount(captured);
                ko_now = ko_after(bit, captured, opp);
            }
        }
        if (result >= goal) {
            result = after_reply(exact, me | bit, opp_after, ko_now, result);
            if (result >= goal)
                return result;
        }
        if (result > best)
            best = result;
    }
    return best;
}

static int last_three(Exact *exact, u32 me, u32 opp, u32 ko, int left, int margin, int goal)
{
    if (exact->nodes >= exact->next_poll) {
        poll(exact);
        if (exact->stopped)
            return 0;
    }
    u32 empty = FULL ^ (me | opp), captured_at[POINTS];
    const ExactGroups *own = groups_of(exact, me);
    u32 captures = captures_at(groups_of(exact, opp), empty, captured_at);
    Ranked moves[POINTS + 1];
    int count = list_moves(moves, list_moves(moves, 0, captures & ~ko), quiet_points(own, empty, captures) & ~ko);
    int best = margin;
    u32 best_bit = 0;
    if (margin >= goal) {
        best = LEAST;
        count = list_pass(moves, count);
    }
    for (int i = 0; i < count; i++) {
        u32 bit = moves[i].bit, me_after = me | bit, opp_after = opp, ko_now = 0;
        int margin_after = margin;
        exact->nodes++;
        if (bit) {
            margin_after++;
            if (bit & captures) {
                u32 captured = captured_at[lowest(bit)];
                opp_after ^= captured;
                margin_after += popcount(captured);
                ko_now = ko_after(bit, captured, opp);
            }
            extended(exact, own, bit, me_after);
        }
        int bound = -last_two(exact, opp_after, me_after, ko_now, -margin_after, 1 - goal);
        if (bound >= goal) {
            if (left == exact->top)
                set_hint(exact, key_of(me, opp, ko, 0), bit);
            return bound;
        }
        if (bound > best) {
            best = bound;
            best_bit = bit;
        }
    }
    exact->failed_bit = best_bit;
    return best;
}

static int search(Exact *exact, u32 me, u32 opp, u32 ko, int left, int margin, int goal);

/* A move and the position after the move, from the point of view of the player who makes the move. */
typedef struct {
    double rank;
    u32 bit, me, opp;    /* the masks of the move, and of the stones of both sides after the move */
    u32 ko;              /* the mask of the ko point after the move, or 0 */
    int margin;          /* the player's stones minus the opponent's stones after the move */
} Move;

/* A position that is being searched, the goal of the search, and the results so far. */
typedef struct {
    u32 me, opp, ko;
    int left, margin, goal;
    bool uses_hints;
    u64 key;                         /* the key of the position in the table of hints */
    u32 hint;
    double *history;
    u32 empty, captures, captured_at[POINTS];
    const ExactGroups *own_groups, *opp_groups;
    int best;
    u32 best_bit;
    Move to_search[POINTS + 1];      /* the open moves in descending order of rank */
    int to_search_count;
} SearchNode;

/* The verdict on a move before the move is searched. */
typedef enum { OPEN, REACHES_GOAL, MISSES_GOAL } Verdict;

/* Insert an open move by rank. Among moves of equal rank, the move on the point with the larger number comes first. */
static void insert_move(SearchNode *node, Move move)
{
    int at = node->to_search_count++;
    for (; at && (node->to_search[at - 1].rank < move.rank
                  || (node->to_search[at - 1].rank == move.rank && node->to_search[at - 1].bit < move.bit)); at--)
        node->to_search[at] = node->to_search[at - 1];
    node->to_search[at] = move;
}

/* Store the bound of a move that misses the goal, if this bound is the highest so far. */
static void note_bound(SearchNode *node, u32 bit, int bound)
{
    if (bound > node->best) {
        node->best = bound;
        node->best_bit = bit;
    }
}

static void note_hint(Exact *exact, const SearchNode *node, u32 bit)
{
    if (node->uses_hints)
        set_hint(exact, node->key, bit);
}

/* The result of a siege of the keeper's groups. */
typedef struct {
    double rank;         /* the rank of the move so far, including the parts for the keeper's groups */
    int growth, lost;    /* the number of stones that the keeper adds, and the number of stones that it loses */
} Siege;

/* Carry out steps 5 and 6: return the result of a siege, and add the parts for the keeper's groups to `rank`. The mask `empty`
 * contains the empty points after the move. The parameter attacker_extra_ply is 1 if the attacker plays the last ply of the game,
 * and otherwise 0. */
static Siege siege_of(const ExactGroups *groups, const double (*ranks)[EXACT_POINTS], u32 empty, double rank,
    int keeper_plies, int attacker_plies, int attacker_extra_ply, bool mover_keeps)
{
    int most_liberties = 0, standing_apart = 0, lost = 0, targets = 0, smallest_target = POINTS, growth = 0;
    u32 standing_liberties = 0, target_liberties = 0;
    for (u32 i = 0; i < groups->count; i++) {
        u32 liberties = groups->near[i] & empty;
        int count = popcount(liberties), size = groups->size[i];
        rank += ranks[size][count];
        if (count > attacker_plies) {
            if (count > most_liberties)
                most_liberties = count;
            if (!(standing_liberties & liberties))
                standing_apart++;
            standing_liberties |= liberties;
        } else {
            target_liberties |= liberties;
            targets++;
            lost += size;
            if (size < smallest_target)
                smallest_target = size;
        }
    }
    if (standing_apart > 1) {
        growth = keeper_plies;
        if (!mover_keeps && most_liberties == attacker_plies + 1)
            growth--;
    } else if (standing_apart) {
        growth = most_liberties - attacker_plies - 1;
        if (growth > keeper_plies)
            growth = keeper_plies;
    }
    if (lost) {
        if (targets > 1) {
            if (popcount(target_liberties) > attacker_plies)
                lost -= smallest_target;
        } else if (standing_apart == 1 && growth < keeper_plies) {
            int spare = popcount(target_liberties & ~standing_liberties) - attacker_extra_ply;
            if (spare > keeper_plies - growth)
                spare = keeper_plies - growth;
            if (spare > 0)
                lost = lost > spare ? lost - spare : 0;
        }
    }
    return (Siege){rank, growth, lost};
}

/* Carry out step 2: make a move, and return the move with the position after it. Store the opponent's groups after the move in
 * opp_groups. */
static Move make_move(Exact *exact, const SearchNode *node, Ranked ranked, const ExactGroups **opp_groups)
{
    Move move = {ranked.rank, ranked.bit, node->me | ranked.bit, node->opp, 0, node->margin};
    exact->nodes++;
    *opp_groups = node->opp_groups;
    if (move.bit)
        move.margin++;
    if (move.bit & node->captures) {
        u32 captured = node->captured_at[lowest(move.bit)];
        move.opp ^= captured;
        *opp_groups = groups_of(exact, move.opp);
        move.margin += popcount(captured);
        move.rank += RANK_CAPTURED * popcount(captured);
        move.ko = ko_after(move.bit, captured, node->opp);
    }
    return move;
}

static const ExactEntry *entry_after(const Exact *exact, const Move *move, int left)
{
    return find(
        (ExactEntry *)exact->table, exact->table_heads, exact->table_bits, key_of(move->opp, move->me, move->ko, left - 1));
}

/* Carry out step 3: judge a move by the table. If the verdict is not OPEN, store a bound on the value of the move in `bound`. */
static Verdict judge_by_table(const Exact *exact, const SearchNode *node, const Move *move, int *bound)
{
    const ExactEntry *entry = entry_after(exact, move, node->left);
    if (entry && -high_of(entry->value) >= node->goal) {
        *bound = -high_of(entry->value);
        return REACHES_GOAL;
    }
    if (entry && -low_of(entry->value) < node->goal) {
        *bound = -low_of(entry->value);
        return MISSES_GOAL;
    }
    return OPEN;
}

/* Carry out steps 4 to 8: judge a move by the siege after the move. If the verdict is OPEN, complete the rank of the move.
 * Otherwise store a bound on the value of the move in `bound`. */
static Verdict judge_by_siege(
    Exact *exact, const SearchNode *node, Move *move, const ExactGroups *opp_groups, int *bound)
{
    int my_plies = (node->left - 1) >> 1, their_plies = node->left >> 1, their_extra_ply = their_plies - my_plies;
    u32 empty = FULL ^ (move->me | move->opp);
    bool mover_keeps = move->margin >= node->goal + their_extra_ply;
    const ExactGroups *other_groups;
    const double (*other_ranks)[EXACT_POINTS];
    Siege siege;
    if (mover_keeps) {
        siege = siege_of(extended(exact, node->own_groups, move->bit, move->me), exact->own_rank, empty, move->rank,
            my_plies, their_plies, their_extra_ply, true);
        *bound = move->margin - their_plies + siege.growth - siege.lost;
        if (*bound >= node->goal)
            return REACHES_GOAL;
        other_groups = opp_groups;
        other_ranks = exact->opp_rank;
    } else {
        siege = siege_of(
            opp_groups, exact->opp_rank, empty, move->rank, their_plies, my_plies, 1 - their_extra_ply, false);
        *bound = move->margin + my_plies - siege.growth + siege.lost;
        if (*bound < node->goal)
            return MISSES_GOAL;
        other_groups = extended(exact, node->own_groups, move->bit, move->me);
        other_ranks = exact->own_rank;
    }
    move->rank = siege.rank;
    for (u32 i = 0; i < other_groups->count; i++)
        move->rank += other_ranks[other_groups->size[i]][popcount(other_groups->near[i] & empty)];
    if (move->bit == node->hint)
        move->rank += RANK_HINT;
    move->rank += node->history[place(move->bit)];
    return OPEN;
}

/* Carry out steps 9 and 10: search the open moves by rank. Return a bound on the value of the node, or 0 if the search was
 * stopped. */
static int search_open_moves(Exact *exact, SearchNode *node)
{
    int (*search_deeper)(Exact *, u32, u32, u32, int, int, int) = node->left > 4 ? search : last_three;
    int left = node->left - 1, other_goal = 1 - node->goal;
    for (int i = 0; i < node->to_search_count; i++) {
        const Move *move = &node->to_search[i];
        double *record = &node->history[place(move->bit)];
        const ExactEntry *entry = entry_after(exact, move, node->left);
        int low = entry ? low_of(entry->value) : LEAST, high = entry ? high_of(entry->value) : MOST;
        int bound = search_deeper(exact, move->opp, move->me, move->ko, left, -move->margin, other_goal);
        if (exact->stopped)
            return 0;
        bool reaches_goal = bound < other_goal;
        u64 key = key_of(move->opp, move->me, move->ko, left);
        store_bounds(exact, key, left, reaches_goal ? bounds_of(low, bound) : bounds_of(bound, high));
        if (reaches_goal) {
            note_hint(exact, node, move->bit);
            *record += (RANK_HISTORY - *record) * HISTORY_GAIN;
            return -bound;
        }
        *record -= *record * HISTORY_LOSS;
        note_bound(node, move->bit, -bound);
    }
    exact->failed_bit = node->best_bit;
    return node->best;
}

/* Return a bound on the value of a position with at least four plies left, in the same ten steps as in exact.py. */
static int search(Exact *exact, u32 me, u32 opp, u32 ko, int left, int margin, int goal)
{
    if (exact->nodes >= exact->next_poll) {
        poll(exact);
        if (exact->stopped)
            return 0;
    }
    SearchNode node = {
        .me = me, .opp = opp, .ko = ko, .left = left, .margin = margin, .goal = goal,
        .uses_hints = left > HINT_LEFT || left == exact->top, .key = key_of(me, opp, ko, 0), .hint = NO_HINT,
        .history = exact->history[left], .empty = FULL ^ (me | opp), .best = margin < goal ? margin : LEAST,
    };
    if (node.uses_hints)
        node.hint = hint_of(exact, node.key);
    node.own_groups = groups_of(exact, me);
    node.opp_groups = groups_of(exact, opp);
    node.captures = captures_at(node.opp_groups, node.empty, node.captured_at);

    /* Carry out step 1: judge the captures first, and then the other moves. */
    for (int quiet = 0; quiet < 2; quiet++) {
        Ranked moves[POINTS + 1];
        u32 points = quiet ? quiet_points(node.own_groups, node.empty, node.captures) : node.captures;
        int count = list_moves(moves, 0, points & ~ko);
        if (quiet && margin >= goal)
            count = list_pass(moves, count);
        for (int i = 0; i < count; i++) {
            const ExactGroups *opp_groups;
            Move move = make_move(exact, &node, moves[i], &opp_groups);
            int bound;
            Verdict verdict = judge_by_table(exact, &node, &move, &bound);
            if (verdict == OPEN)
                verdict = judge_by_siege(exact, &node, &move, opp_groups, &bound);
            if (verdict == REACHES_GOAL) {
                note_hint(exact, &node, move.bit);
                return bound;
            }
            if (verdict == MISSES_GOAL)
                note_bound(&node, move.bit, bound);
            else
                insert_move(&node, move);
        }
    }
    return search_open_moves(exact, &node);
}

static double rank_of_own(int size, int liberties)
{
    double danger = liberties < 2 ? 2.4 + 1.7 * size : liberties == 2 ? 0.3 + 0.4 * size : 0.0;
    return 0.5 * (liberties < 8 ? liberties : 8) - 1.4 - danger;
}

static double rank_of_opp(int size, int liberties)
{
    return (liberties < 2 ? 0.6 + 1.2 * size : 0.0) - 0.5 * (liberties < 8 ? liberties : 8);
}

void exact_reset(Exact *exact)
{
    clear(exact->table, exact->table_heads, exact->table_bits, &exact->table_count);
    clear(exact->hints, exact->hint_heads, HINT_BITS, &exact->hint_count);
    clear_cache(exact);
    exact->table_bits = LEAST_BITS;
    exact->nodes = 0;
    exact->failed_bit = 0;
    for (int i = 0; i < POINTS; i++) {
        exact->by_left[i] = 0;
        for (int j = 0; j <= POINTS; j++)
            exact->history[i][j] = 0.0;
        for (int j = 0; j < POINTS; j++) {
            exact->own_rank[i][j] = rank_of_own(i, j);
            exact->opp_rank[i][j] = rank_of_opp(i, j);
        }
    }
}

int exact_search(Exact *exact, u32 me, u32 opp, u32 ko, int left, int margin, int goal, u64 node_limit, u32 *move)
{
    u64 key = key_of(me, opp, ko, 0);
    exact->top = left;
    exact->stopped = false;
    exact->node_stop = node_limit > UINT64_MAX - exact->nodes ? UINT64_MAX : exact->nodes + node_limit;
    poll(exact);
    int bound = exact->stopped ? 0 : (left > 3 ? search : last_three)(exact, me, opp, ko, left, margin, goal);
    *move = exact->stopped || bound >= goal ? hint_of(exact, key) : exact->failed_bit;
    return bound;
}
