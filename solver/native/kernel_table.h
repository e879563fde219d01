/* The kernel's transposition table. Part of kernel.c. */
#ifndef LITTLE_GO_KERNEL_TABLE_H
#define LITTLE_GO_KERNEL_TABLE_H

#include "kernel_board.h"

enum {
    LINE = 8,                  /* entries in a line */
    TAG_SHIFT = 18,
    TABLE_LEFT = 4,            /* with fewer plies left, positions are searched straight, and not stored */
    NEAR_LEFT = 5,             /* with so many or fewer, in a small table of the kernel's own: the cache holds it */
};

#define BOARD_BITS (((u64)1 << 50) - 1)  /* room for two boards of any size */

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

#endif
