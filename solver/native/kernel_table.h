/* Part of kernel.c: the transposition table, which keeps proven bounds and a move for each position. */
#ifndef LITTLE_GO_KERNEL_TABLE_H
#define LITTLE_GO_KERNEL_TABLE_H

#include "kernel_board.h"

enum {
    LINE = 8,                  /* entries in a line */
    TAG_SHIFT = 18,            /* number of low bits of the board hash that are not in the tag */
    TAG_AT = 32, KO_AT = 27, LEFT_AT = 22, PASSED_AT = 21, LO_AT = 15, HI_AT = 9, MOVE_AT = 4,   /* lowest bit of each part */
    VALUE_MASK = 63, MOVE_MASK = 31, WORK_MASK = 15,   /* masks of a value, a move and the work, after the shift to bit 0 */
    VALUE_OFFSET = 32,         /* added to a value, so that the sum is not negative */
    SMALL_LEFT_SHIFT = 3, SMALL_LEFT_MASK = 7,   /* `left` in an entry of the small table has three bits */
    LARGEST_KO = 31,           /* larger than any point */
    TABLE_LEFT = 4,            /* positions with fewer plies left are not stored; kernel_last_plies.h searches them */
    SMALL_LEFT = 5,            /* positions with this many plies left or fewer are in the small table */
};

#define BOARD_BITS (((u64)1 << 50) - 1)  /* the masks of two boards of the largest size */

/* --- transposition table --------------------------------------------------------------------
 *
 * The table is an array of lines. A line has 64 bytes, like a line of the processor's cache, so a look-up waits for memory once.
 * A line has eight entries of 64 bits, and an empty entry is 0:
 *
 *     bit  63 .. 32    31 .. 27  26 .. 22  21      20 .. 15  14 .. 9  8 .. 4  3 .. 0
 *          board tag   ko + 1    left      passed  lo + 32   hi + 32  move    work
 *          `---------- id, compared ------------'  `--- answer -------------------'
 *
 * - Orientation. A position and its seven other images share one entry. The canonical image is the one with the smallest mask of
 *   the mover and, among equal masks, the smallest mask of the opponent. `move` is a move of the canonical image, and a slot
 *   contains the symmetry that leads to it.
 * - No confusion. The 50 bits of the two masks are hashed by mix(), a bijection. The lowest bits of the hash choose the line,
 *   and the tag has bits 18 to 49. A table has 2**18 lines or more, so line and tag together determine both masks. Plies left,
 *   ko and pass are in the entry. So two different positions never match the same entry, unlike with a shorter hash.
 * - No lock. Each entry is one aligned word that is read and written whole. Two workers can overwrite each other's entries, but
 *   neither sees half of an entry.
 * - Replacement. `work` is half the bit length of the number of nodes that the bounds cost, so it grows by one for each factor of
 *   four. In a full line, a new entry replaces the entry with the least work.
 * - The small table. Most positions have few plies left, and searching one of them takes little more time than waiting for memory
 *   once. Each kernel has a small table for them, which stays in the cache of its core. 16 bits of the hash choose one of its
 *   2**16 lines, so bits 16 and 17 must be in the entry: they take the upper two bits of `left`, because three bits are enough
 *   for 4 and 5 plies. `left` is never 0, so no id is 0 as in an empty entry.
 */

/* The place of a position in a table. */
typedef struct Slot {
    u64 *line;
    u64 id;        /* the upper 43 bits of the position's entry, and 0 in the lower 21 */
    int symmetry;  /* the symmetry from the position to its canonical image */
} Slot;

/* Return a hash of 50 bits. Each step is a bijection of 50-bit numbers, so the whole is one: an xor with a right shift can be
 * undone from the upper bits down, and an odd factor has an inverse modulo 2**50. */
static inline u64 mix(u64 x)
{
    x ^= x >> 27;
    x = x * 0x3C79AC492BA7B653u & BOARD_BITS;
    x ^= x >> 25;
    x = x * 0x1C69B3F74AC4AE35u & BOARD_BITS;
    x ^= x >> 28;
    return x;
}

/* Return the slot of a position, whether the table has an entry for it or not.
 * me, opp: images of the mover's and the opponent's stones. left: TABLE_LEFT or more. passed: whether a PASS ends the game. */
static inline Slot locate(const Kernel *kernel, const Images *me, const Images *opp, int ko, int left, bool passed)
{
    u32 least_me = FULL, least_opp = FULL, least = 0;
    Slot slot;
    for (int s = 0; s < SYMMETRIES; s++)
        least_me = me->at[s] < least_me ? me->at[s] : least_me;
    for (int s = 0; s < SYMMETRIES; s++) {
        u32 image = me->at[s] == least_me ? opp->at[s] : FULL;
        least_opp = image < least_opp ? image : least_opp;
    }
    for (int s = 0; s < SYMMETRIES; s++)
        least |= (u32)(me->at[s] == least_me && opp->at[s] == least_opp) << s;
    slot.symmetry = lowest(least);
    if (ko != NO_KO) {
        /* If several images have the smallest masks, choose the one with the smallest ko point. */
        int point = ko;
        ko = LARGEST_KO;
        for (; least; least &= least - 1) {
            if (IMAGE_OF[lowest(least)][point] < ko) {
                slot.symmetry = lowest(least);
                ko = IMAGE_OF[slot.symmetry][point];
            }
        }
    }
    u64 hashed = mix((u64)least_me << POINTS | least_opp);
    if (left > SMALL_LEFT) {
        slot.line = kernel->table + (hashed & kernel->last_line) * LINE;
    } else {
        slot.line = kernel->small_table + (hashed & (SMALL_LINES - 1)) * LINE;
        left = (int)(hashed / SMALL_LINES & 3) << SMALL_LEFT_SHIFT | (left & SMALL_LEFT_MASK);
    }
    slot.id = (hashed >> TAG_SHIFT) << TAG_AT | (u64)(ko + 1) << KO_AT | (u64)left << LEFT_AT | (u64)passed << PASSED_AT;
    return slot;
}

static inline int entry_lo(u64 entry) { return (int)(entry >> LO_AT & VALUE_MASK) - VALUE_OFFSET; }
static inline int entry_hi(u64 entry) { return (int)(entry >> HI_AT & VALUE_MASK) - VALUE_OFFSET; }
static inline int entry_move(u64 entry) { return (int)(entry >> MOVE_AT & MOVE_MASK); }
static inline int entry_work(u64 entry) { return (int)(entry & WORK_MASK); }

/* Read a word that another worker may write at the same time. */
static inline u64 read_entry(const u64 *entry) { return __atomic_load_n(entry, __ATOMIC_RELAXED); }

/* Return the entry of the slot's position, or 0 if it is not in the table. */
static inline u64 probe(const Slot *slot)
{
    for (int i = 0; i < LINE; i++) {
        u64 entry = read_entry(&slot->line[i]);
        if (entry >> PASSED_AT == slot->id >> PASSED_AT)
            return entry;
    }
    return 0;
}

/* Store proven bounds. An existing entry of the position is merged with them. Otherwise the cheapest entry of the line is
 * overwritten. lo, hi: bounds on the mover's value. move: a move of the position as it is, not of its canonical image, or NO_MOVE.
 * nodes: the number of nodes that the bounds cost. */
static inline void store(const Slot *slot, int lo, int hi, int move, u64 nodes)
{
    int work = (64 - __builtin_clzll(nodes | 1)) >> 1 & WORK_MASK;
    int cheapest = INFINITE, victim = 0;
    for (int i = 0; i < LINE; i++) {
        u64 entry = read_entry(&slot->line[i]);
        if (entry >> PASSED_AT == slot->id >> PASSED_AT) {
            /* Another worker may have stored the position meanwhile. All bounds are proven, so keep the sharper ones. */
            lo = max(lo, entry_lo(entry));
            hi = min(hi, entry_hi(entry));
            work = max(work, entry_work(entry));
            victim = i;
            break;
        }
        int cost = entry ? entry_work(entry) : -1;  /* an empty entry is the cheapest */
        if (cost < cheapest) {
            cheapest = cost;
            victim = i;
        }
    }
    u64 entry = slot->id | (u64)(lo + VALUE_OFFSET) << LO_AT | (u64)(hi + VALUE_OFFSET) << HI_AT
        | (u64)IMAGE_OF[slot->symmetry][move] << MOVE_AT | work;
    __atomic_store_n(&slot->line[victim], entry, __ATOMIC_RELAXED);
}

/* Return the slot of the position after a move, computed from the images without playing the move.
 * taken: the stones that the move captures. left: plies left before the move. */
static inline Slot locate_child(const Kernel *kernel, const Node *node, int move, u32 taken, int left)
{
    if (move == PASS)
        return locate(kernel, &node->opp_images, &node->me_images, NO_KO, left - 1, true);
    Images child_opp = toggled(&node->me_images, BIT(move));
    if (!taken)
        return locate(kernel, &node->opp_images, &child_opp, NO_KO, left - 1, false);
    Images child_me = toggled(&node->opp_images, taken);
    return locate(kernel, &child_me, &child_opp, ko_after(node, move, taken), left - 1, false);
}

#endif
