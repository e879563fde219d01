/* Part of kernel.c: the transposition table, which contains proven bounds and a move for each stored position. */
#ifndef LITTLE_GO_KERNEL_TABLE_H
#define LITTLE_GO_KERNEL_TABLE_H

#include "kernel_board.h"

enum {
    LINE = 8,                  /* the number of entries in a line of the table */
    TAG_SHIFT = 18,            /* the number of low bits of the board hash that are not in the tag */
    TAG_AT = 32, KO_AT = 27, LEFT_AT = 22, PASSED_AT = 21, LO_AT = 15, HI_AT = 9, MOVE_AT = 4,   /* the lowest bit of each field */
    VALUE_MASK = 63, MOVE_MASK = 31, WORK_MASK = 15,   /* the masks of values, moves and work after a field is shifted to bit 0 */
    VALUE_OFFSET = 32,         /* the number that is added to a stored value, so that the sum is not negative */
    SMALL_LEFT_SHIFT = 3, SMALL_LEFT_MASK = 7,   /* the places of two bits of the hash and of the plies left */
    LARGEST_KO = 31,           /* a number that is larger than any point */
    TABLE_LEFT = 4,            /* the smallest number of plies left in a stored position */
    SMALL_LEFT = 5,            /* the largest number of plies left in a position of the small table */
};

#define BOARD_BITS (((u64)1 << 50) - 1)  /* a mask with one bit for each point and side of the largest board */

/* --- transposition table --------------------------------------------------------------------
 *
 * The table is an array of lines. A line has 64 bytes, like a line of the processor's cache, so a look-up waits for memory only
 * once. Each line consists of eight entries of 64 bits, and an empty entry is 0. The fields of an entry are:
 *
 *     bit  63 .. 32    31 .. 27  26 .. 22  21      20 .. 15  14 .. 9  8 .. 4  3 .. 0
 *          board tag   ko + 1    left      passed  lo + 32   hi + 32  move    work
 *          `---------- id, compared ------------'  `--- answer -------------------'
 *
 * - Orientation. The eight symmetric images of a position share one entry. The canonical image is the image with the smallest mask
 *   of the mover's stones and, among equal masks, the smallest mask of the opponent's stones. The field `move` is a move of the
 *   canonical image. A slot contains the symmetry from the position to the canonical image.
 * - Matching. The two masks have 50 bits together, and the bijection mix() hashes these bits. The lowest bits of the
 *   hash are the number of the line, and the tag consists of bits 18 to 49. A table has at least 2**18 lines, so the line and the
 *   tag together determine both masks. The entry also contains the plies left, the ko point and the bit for a pass. So two
 *   different positions never match the same entry.
 * - Workers need no lock. Each entry is an aligned word that a processor reads and writes as a whole. Workers can overwrite each
 *   other's entries, but no worker reads half of an entry.
 * - Replacement. The field `work` is half the bit length of the number of nodes that were searched for the bounds. If the number of
 *   nodes is multiplied by four, `work` grows by one. In a full line, a new entry replaces the entry with the least work.
 * - Locality. Most positions have few plies left, and the search of such a position takes hardly more time than a single
 *   access to memory. Each kernel stores these positions in a small table, which fits into the cache of the processor's core. A
 *   line of the small table has a number of only 16 bits, so bits 16 and 17 of the hash must be in the entry. These bits use the
 *   upper two bits of the field `left`, because three bits are enough for the numbers 4 and 5. The field `left` is never 0, so no
 *   id is equal to an empty entry.
 */

/* The place of a position in a table. */
typedef struct Slot {
    u64 *line;
    u64 id;        /* the upper 43 bits of the position's entry, followed by 21 bits that are 0 */
    int symmetry;  /* the symmetry from the position to its canonical image */
} Slot;

/* Return a hash of 50 bits. The function is a bijection of 50-bit numbers, because each of its steps is a bijection: an xor with a
 * right shift can be undone from the upper bits down, and an odd factor has an inverse modulo 2**50. */
static inline u64 mix(u64 x)
{
    x ^= x >> 27;
    x = x * 0x3C79AC492BA7B653u & BOARD_BITS;
    x ^= x >> 25;
    x = x * 0x1C69B3F74AC4AE35u & BOARD_BITS;
    x ^= x >> 28;
    return x;
}

/* Return the slot of a position, whether or not the table has an entry for the position. The parameters `me` and `opp` are the
 * images of the mover's stones and of the opponent's stones. The number of plies left must be at least TABLE_LEFT. The parameter
 * `passed` states whether a PASS ends the game. */
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
        /* If several images have the smallest masks, choose the image with the smallest ko point. */
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

/* Return the entry of the slot's position, or 0 if the table has no such entry. */
static inline u64 probe(const Slot *slot)
{
    for (int i = 0; i < LINE; i++) {
        u64 entry = read_entry(&slot->line[i]);
        if (entry >> PASSED_AT == slot->id >> PASSED_AT)
            return entry;
    }
    return 0;
}

/* Store proven bounds on the mover's value, which were found with a search of `nodes` nodes. If the table has an entry of the
 * position, merge the bounds into it. Otherwise overwrite the entry of the line with the least work. The parameter `move` is
 * NO_MOVE or a move of the position itself, not of the canonical image. */
static inline void store(const Slot *slot, int lo, int hi, int move, u64 nodes)
{
    int work = (64 - __builtin_clzll(nodes | 1)) >> 1 & WORK_MASK;
    int cheapest = INFINITE, victim = 0;
    for (int i = 0; i < LINE; i++) {
        u64 entry = read_entry(&slot->line[i]);
        if (entry >> PASSED_AT == slot->id >> PASSED_AT) {
            /* Another worker may have stored the position in the meantime. All bounds are proven, so keep the sharper bounds. */
            lo = max(lo, entry_lo(entry));
            hi = min(hi, entry_hi(entry));
            work = max(work, entry_work(entry));
            victim = i;
            break;
        }
        int cost = entry ? entry_work(entry) : -1;  /* an empty entry has the lowest cost */
        if (cost < cheapest) {
            cheapest = cost;
            victim = i;
        }
    }
    u64 entry = slot->id | (u64)(lo + VALUE_OFFSET) << LO_AT | (u64)(hi + VALUE_OFFSET) << HI_AT
        | (u64)IMAGE_OF[slot->symmetry][move] << MOVE_AT | work;
    __atomic_store_n(&slot->line[victim], entry, __ATOMIC_RELAXED);
}

/* Return the slot of the position after a move, computed from the images without playing the move. The move captures the stones
 * `taken`, and `left` plies are left before the move. */
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
