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

/* The points with four, three and two neighbours: they are judged in this order. */
static const u32 WITH_NEIGHBOURS[3] = {0x00739C0u, 0x0E8C62Eu, 0x1100011u};

static const double RANK_NEIGHBOUR = 1.68, RANK_TAKEN = 1.4, RANK_PASS = -4.2, RANK_HISTORY = 10.0;
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

/* --- what is kept ---------------------------------------------------------------------------- */

/* A position as the mover sees it; with its plies left for the table, without for the hints. */
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

/* A short search's heads are few, so that the processor's cache holds them. */
static void grow_table(Exact *exact)
{
    u32 count = exact->table_count, done = 0;
    for (u32 i = 0; i < 1u << exact->table_bits; i++)
        exact->table_heads[i] = 0;
    exact->table_bits += 2;
    while (done < count)
        put(exact->table, exact->table_heads, exact->table_bits, &done, exact->table[done].key, exact->table[done].value);
}

static void note(Exact *exact, u64 key, int left, u32 bounds)
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

/* Heads are emptied one by one: after a short search that is faster than to empty them all. */
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

/* Throw away the entries with the fewest plies left while the table is too large. */
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

/* GroupCache.__missing__, or what is there. */
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

/* GroupCache.extend, or what is there: the groups after a stone; a PASS changes none. */
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

/* The points outside `takes` where a stone has a liberty. */
static u32 quiet_points(const ExactGroups *own, u32 empty, u32 takes)
{
    u32 points = neighbours(empty) & empty;
    if ((points | takes) != empty)
        for (u32 i = 0; i < own->count; i++) {
            u32 liberties = own->near[i] & empty;
            if (!one_bit_at_most(liberties))
                points |= liberties;
        }
    return points & ~takes;
}

/* The points that take something, and what each takes. */
static u32 captures(const ExactGroups *opp, u32 empty, u32 taken_at[POINTS])
{
    u32 takes = 0;
    for (u32 i = 0; i < opp->count; i++) {
        u32 liberties = opp->near[i] & empty;
        if (one_bit_at_most(liberties)) {
            if (!(takes & liberties))
                taken_at[lowest(liberties)] = 0;
            takes |= liberties;
            taken_at[lowest(liberties)] |= opp->group[i];
        }
    }
    return takes;
}

/* Whether a lone stone that took `taken` may be retaken at once, which ko forbids. */
static inline u32 ko_after(u32 bit, u32 taken, u32 opp)
{
    return one_bit_at_most(taken) && !(neighbours(bit) & ~opp) ? taken : 0;
}

/* --- the search ------------------------------------------------------------------------------ */

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

/* The margin after the last reply: the most stones in atari at one point, else any stone, else PASS. */
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
    u32 empty = FULL ^ (me | opp), taken_at[POINTS];
    u32 takes = captures(groups_of(exact, opp), empty, taken_at);
    if (!takes && margin + 1 < goal)
        return margin + 1;
    u32 legal = (neighbours(empty) & empty) | takes;
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
    int best = margin, count = list_moves(moves, list_moves(moves, 0, takes & legal), legal & ~takes);
    if (margin >= goal) {
        best = LEAST;
        count = list_pass(moves, count);
    }
    for (int i = 0; i < count; i++) {
        u32 bit = moves[i].bit, opp_after = opp, ko_now = 0;
        int result = margin;
        if (bit) {
            result++;
            if (bit & takes) {
                u32 taken = taken_at[lowest(bit)];
                opp_after ^= taken;
                result += popcount(taken);
                ko_now = ko_after(bit, taken, opp);
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
    u32 empty = FULL ^ (me | opp), taken_at[POINTS];
    const ExactGroups *own = groups_of(exact, me);
    u32 takes = captures(groups_of(exact, opp), empty, taken_at);
    Ranked moves[POINTS + 1];
    int count = list_moves(moves, list_moves(moves, 0, takes & ~ko), quiet_points(own, empty, takes) & ~ko);
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
            if (bit & takes) {
                u32 taken = taken_at[lowest(bit)];
                opp_after ^= taken;
                margin_after += popcount(taken);
                ko_now = ko_after(bit, taken, opp);
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

/* A move that is left to be searched. */
typedef struct {
    double rank;
    u32 bit, me, opp, ko;
    int margin;
} Todo;

/* Put a move among those by rank; of equal ones the higher point comes first. */
static void insert(Todo *todo, int count, Todo move)
{
    for (; count && (todo[count - 1].rank < move.rank
                     || (todo[count - 1].rank == move.rank && todo[count - 1].bit < move.bit)); count--)
        todo[count] = todo[count - 1];
    todo[count] = move;
}

/* What exact.py's steps 5 and 6 count of the keeper's groups. */
typedef struct {
    double rank;
    int fills, lost;
} Kept;

static Kept count_kept(const ExactGroups *groups, const double (*ranks)[EXACT_POINTS], u32 after, double rank, int keeps,
    int attacks, int attacker_last, bool mover_keeps)
{
    int most = 0, standing = 0, lost = 0, in_reach = 0, least = POINTS, fills = 0;
    u32 common = 0, reach = 0;
    for (u32 i = 0; i < groups->count; i++) {
        u32 liberties = groups->near[i] & after;
        int count = popcount(liberties), size = groups->size[i];
        rank += ranks[size][count];
        if (count > attacks) {
            if (count > most)
                most = count;
            if (!(common & liberties))
                standing++;
            common |= liberties;
        } else {
            reach |= liberties;
            in_reach++;
            lost += size;
            if (size < least)
                least = size;
        }
    }
    if (standing > 1) {
        fills = keeps;
        if (!mover_keeps && most == attacks + 1)
            fills--;
    } else if (standing) {
        fills = most - attacks - 1;
        if (fills > keeps)
            fills = keeps;
    }
    if (lost) {
        if (in_reach > 1) {
            if (popcount(reach) > attacks)
                lost -= least;
        } else if (standing == 1 && fills < keeps) {
            int spare = popcount(reach & ~common) - attacker_last;
            if (spare > keeps - fills)
                spare = keeps - fills;
            if (spare > 0)
                lost = lost > spare ? lost - spare : 0;
        }
    }
    return (Kept){rank, fills, lost};
}

static int search(Exact *exact, u32 me, u32 opp, u32 ko, int left, int margin, int goal)
{
    if (exact->nodes >= exact->next_poll) {
        poll(exact);
        if (exact->stopped)
            return 0;
    }
    bool far = left > HINT_LEFT || left == exact->top;
    u64 key = key_of(me, opp, ko, 0);
    u32 hint = far ? hint_of(exact, key) : NO_HINT;
    double *history = exact->history[left];
    int mine = (left - 1) >> 1, theirs = left >> 1, their_last = theirs - mine, enough = goal + their_last;
    u32 empty = FULL ^ (me | opp), taken_at[POINTS];
    const ExactGroups *own_groups = groups_of(exact, me), *opp_groups = groups_of(exact, opp);
    u32 takes = captures(opp_groups, empty, taken_at);
    int best = margin < goal ? margin : LEAST, todo_count = 0;
    u32 best_bit = 0;
    Todo todo[POINTS + 1];

    for (int quiet = 0; quiet < 2; quiet++) {
        Ranked moves[POINTS + 1];
        int count = list_moves(moves, 0, (quiet ? quiet_points(own_groups, empty, takes) : takes) & ~ko);
        if (quiet && margin >= goal)
            count = list_pass(moves, count);
        for (int i = 0; i < count; i++) {
            u32 bit = moves[i].bit, me_after = me | bit, opp_after = opp, ko_now = 0;
            double rank = moves[i].rank;
            int margin_after = margin;
            const ExactGroups *opp_after_groups = opp_groups;
            exact->nodes++;
            if (bit) {
                margin_after++;
                if (bit & takes) {
                    u32 taken = taken_at[lowest(bit)];
                    opp_after ^= taken;
                    opp_after_groups = groups_of(exact, opp_after);
                    margin_after += popcount(taken);
                    rank += RANK_TAKEN * popcount(taken);
                    ko_now = ko_after(bit, taken, opp);
                }
            }
            u32 after = FULL ^ (me_after | opp_after);

            const ExactEntry *entry =
                find(exact->table, exact->table_heads, exact->table_bits, key_of(opp_after, me_after, ko_now, left - 1));
            if (entry) {
                int low = low_of(entry->value), high = high_of(entry->value);
                if (-high >= goal) {
                    if (far)
                        set_hint(exact, key, bit);
                    return -high;
                }
                if (-low < goal) {
                    if (-low > best) {
                        best = -low;
                        best_bit = bit;
                    }
                    continue;
                }
            }

            bool mover_keeps = margin_after >= enough;
            const ExactGroups *groups =
                mover_keeps ? extended(exact, own_groups, bit, me_after) : opp_after_groups;
            Kept kept = mover_keeps
                ? count_kept(groups, exact->own_rank, after, rank, mine, theirs, their_last, true)
                : count_kept(groups, exact->opp_rank, after, rank, theirs, mine, 1 - their_last, false);
            rank = kept.rank;
            const double (*ranks)[EXACT_POINTS];
            if (mover_keeps) {
                int bound = margin_after - theirs + kept.fills - kept.lost;
                if (bound >= goal) {
                    if (far)
                        set_hint(exact, key, bit);
                    return bound;
                }
                groups = opp_after_groups;
                ranks = exact->opp_rank;
            } else {
                int bound = margin_after + mine - kept.fills + kept.lost;
                if (bound < goal) {
                    if (bound > best) {
                        best = bound;
                        best_bit = bit;
                    }
                    continue;
                }
                groups = extended(exact, own_groups, bit, me_after);
                ranks = exact->own_rank;
            }
            for (u32 j = 0; j < groups->count; j++)
                rank += ranks[groups->size[j]][popcount(groups->near[j] & after)];
            if (bit == hint)
                rank += RANK_HINT;
            insert(todo, todo_count++,
                (Todo){rank + history[place(bit)], bit, me_after, opp_after, ko_now, margin_after});
        }
    }

    int other_goal = 1 - goal;
    for (int i = 0; i < todo_count; i++) {
        const Todo *move = &todo[i];
        double *record = &history[place(move->bit)];
        u64 key_after = key_of(move->opp, move->me, move->ko, left - 1);
        const ExactEntry *entry = find(exact->table, exact->table_heads, exact->table_bits, key_after);
        int low = entry ? low_of(entry->value) : LEAST, high = entry ? high_of(entry->value) : MOST;
        int bound = (left > 4 ? search : last_three)(
            exact, move->opp, move->me, move->ko, left - 1, -move->margin, other_goal);
        if (exact->stopped)
            return 0;
        if (bound < other_goal) {
            note(exact, key_after, left - 1, bounds_of(low, bound));
            if (far)
                set_hint(exact, key, move->bit);
            *record += (RANK_HISTORY - *record) * HISTORY_GAIN;
            return -bound;
        }
        note(exact, key_after, left - 1, bounds_of(bound, high));
        *record -= *record * HISTORY_LOSS;
        if (-bound > best) {
            best = -bound;
            best_bit = move->bit;
        }
    }
    exact->failed_bit = best_bit;
    return best;
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
