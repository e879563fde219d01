/* The kernel as WebAssembly: one searcher, flat functions, and no imports. kernel.h says what all means.
 *
 *     const {exports} = await WebAssembly.instantiate(module)
 *     exports.open(1 << 20, 0)                                         a table of 64 MiB
 *     exports.decide(me, opp, ko, left, pass_ends, goal, node_limit)   or
 *     exports.value(me, opp, ko, left, pass_ends, 99, node_limit)      or a guess in place of 99
 *     exports.lo(), exports.hi(), exports.best(), exports.nodes()      what was found
 *     exports.bound(me, opp, ko, left, pass_ends, goal, node_limit)    as decide(), without a move: for one of many moves
 *     exports.teach(me, opp, ko, left, pass_ends, lo, hi, best)        what is known already
 *
 * Otherwise instances share no memory. What one has paid for is passed to the others by hand:
 *
 *     exports.keep(nodes)                                              put results of so many nodes aside
 *     exports.kept(), exports.kept_at()                                how many there are, forgetting them, and the first's address
 *
 * Compiled with SHARED, instances in threads share one memory, which is then imported, and one table:
 *
 *     exports.__stack_pointer.value = …, exports.__wasm_init_tls(…)    a stack and thread-local data of its own
 *     exports.own_at(…)                                                and own_bytes() for the rest
 *     exports.share(table, busy, lines, seed)                          in place of open(), without teaching what another has
 *
 * What explains a mistake is found in the same way, -1 being the answer for as long as it is not:
 *
 *     exports.explain(me, opp, ko, left, pass_ends, move, node_limit)  0: the move is a best one; 1: line(0) is what follows, and
 *                                                                      line(1) is best play instead: each a PlayLine's address
 *     exports.settle(me, opp, ko, left, pass_ends, value, node_limit)  1: line(0) is best play
 *
 * Then me(), opp(), ko(), left() and passed() are of the position that the answer waits for: who knows it may teach it. A node limit
 * of 0 searches nothing, and finds what the table holds.
 *
 * Nothing interrupts a search: ask with a node limit, and again for as long as lo() < goal <= hi(). The table keeps what
 * was found. The module's memory belongs to the table, which begins where the compiler's own data ends.
 *
 * The rules need no table, so a page has an instance for them besides the one that searches:
 *
 *     exports.legal(me, opp, ko)                                       the points the mover may play, as a mask
 *     exports.play(me, opp, ko, left, pass_ends, move)                 then me(), opp(), ko(), left() of the new mover
 *     exports.fault(me, opp, ko)                                       what makes a board impossible, 0 if nothing
 *     exports.reason(me, opp, ko, left, pass_ends, plies, half_points) then text(0 .. 3) of line(0) and line(1): the address
 *                                                                      of a theme, two sentences and a kind, each with a 0 behind it
 *     exports.canonical(key)                                           of a Key, both as BigInt
 *     exports.children(key), exports.child(index)                      how many there are, and each one's canonical Key
 */
/* In one unit: which of two the linker takes first is left to chance, and the bytes with it. */
#include "kernel.c"
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#include "explain.c"  /* small, as pages have it in them, and as it takes no time */
#pragma clang attribute pop

#define EXPORT(name) __attribute__((export_name(#name)))

enum { PAGE = 1 << 16, MOST_KEPT = 1 << 12 };

extern unsigned char __heap_base[];   /* the linker's: where free memory begins */

/* What an instance has for itself. */
typedef struct {
    Kernel kernel;
    Answer answer;
    Position played;
    Kept kept[MOST_KEPT];
    uint64_t keep_nodes;
    Key children[MOST_CHILDREN];
    PlayLine lines[2];
    Reason reason;
} Own;

#ifdef SHARED
static _Thread_local Own *own;

EXPORT(own_bytes) uint32_t wasm_own_bytes(void) { return sizeof(Own); }

/* Begin with what an instance has for itself at an address, in zeroed memory. */
EXPORT(own_at) void wasm_own_at(Own *at) { own = at; }

/* Take part in a table at an address, a multiple of LINE_BYTES, and in a busy array at another one; both in zeroed memory. */
EXPORT(share) void wasm_share(void *table, uint32_t *busy, uint32_t lines, uint32_t seed)
{
    kernel_open(&own->kernel, table, lines, seed);
    own->kernel.busy = busy;
}

EXPORT(busy_bytes) uint32_t wasm_busy_bytes(void) { return BUSY_TAGS * sizeof(uint32_t); }
#else
static Own here, *const own = &here;
#endif

/* What can be wrong with a board, times FAULT; the point that shows it is added. */
enum { NO_LIBERTY = 1, KO_NOT_SURROUNDED, KO_WITHOUT_TAKER, FAULT = 32 };

/* Take an empty table of `lines` lines, a power of two, LEAST_LINES or more; whether there was memory for it. */
EXPORT(open) int wasm_open(uint32_t lines, uint32_t seed)
{
    uint64_t base = ((uint64_t)(uintptr_t)__heap_base + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    uint64_t end = base + (uint64_t)lines * LINE_BYTES, had = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
    if (end > had && __builtin_wasm_memory_grow(0, (uintptr_t)((end - had + PAGE - 1) / PAGE)) == (uintptr_t)-1)
        return 0;
    /* New memory is zeroed; what an earlier table has written is not. */
    __builtin_memset((void *)(uintptr_t)base, 0, (uintptr_t)((end < had ? end : had) - base));
    own->kernel = (Kernel){0};
    kernel_open(&own->kernel, (void *)(uintptr_t)base, lines, seed);
    own->kernel.kept = own->kept;
    own->kernel.kept_room = MOST_KEPT;
    own->kernel.keep_nodes = own->keep_nodes;
    return 1;
}

/* The node limit is a double, as are JavaScript's numbers; 0: none. */
EXPORT(decide) void wasm_decide(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int goal, double node_limit)
{
    Position position = {me, opp, ko, left, pass_ends};
    own->answer = kernel_decide(&own->kernel, &position, goal, (uint64_t)node_limit);
}

EXPORT(bound) void wasm_bound(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int goal, double node_limit)
{
    Position position = {me, opp, ko, left, pass_ends};
    uint64_t before = own->kernel.nodes;
    own->answer = search_bounds(&own->kernel, &position, goal, (uint64_t)node_limit);
    own->answer.nodes = own->kernel.nodes - before;
}

EXPORT(value) void wasm_value(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int guess, double node_limit)
{
    Position position = {me, opp, ko, left, pass_ends};
    own->answer = kernel_value(&own->kernel, &position, guess, (uint64_t)node_limit);
}

EXPORT(lo) int wasm_lo(void) { return own->answer.lo; }
EXPORT(hi) int wasm_hi(void) { return own->answer.hi; }
EXPORT(best) int wasm_best(void) { return own->answer.best; }
EXPORT(nodes) double wasm_nodes(void) { return (double)own->answer.nodes; }

/* Put proven bounds into the table; they stay while there is room for them. */
EXPORT(teach) void wasm_teach(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int lo, int hi, int best)
{
    Position position = {me, opp, ko, left, pass_ends};
    Answer known = {lo, hi, best, UINT32_MAX};
    kernel_teach(&own->kernel, &position, &known);
}

/* 0: none are put aside. A search with a node limit of MOST_KEPT times as many always has room for them. */
EXPORT(keep) void wasm_keep(double nodes) { own->kernel.keep_nodes = own->keep_nodes = (uint64_t)nodes; }

EXPORT(kept) int wasm_kept(void)
{
    int count = own->kernel.kept_count;
    own->kernel.kept_count = 0;
    return count;
}

EXPORT(kept_at) const Kept *wasm_kept_at(void) { return own->kept; }

#pragma clang attribute push(__attribute__((minsize)), apply_to = function)

/* What searches for lines, from now on and with so many nodes. */
static Searcher searcher(double node_limit)
{
    own->answer.nodes = own->kernel.nodes;
    return (Searcher){.kernel = &own->kernel, .end = own->kernel.nodes + (uint64_t)node_limit};
}

static int searched(const Searcher *searcher, int outcome)
{
    own->answer.nodes = own->kernel.nodes - own->answer.nodes;
    own->played = searcher->open;
    return outcome;
}

EXPORT(explain) int wasm_explain(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int move, double node_limit)
{
    Position position = {me, opp, ko, left, pass_ends};
    Searcher limited = searcher(node_limit);
    Oracle oracle = explain_search(&limited);
    return searched(&limited, explain_move(&oracle, &position, move, &own->lines[0], &own->lines[1]));
}

EXPORT(settle) int wasm_settle(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int value, double node_limit)
{
    Position position = {me, opp, ko, left, pass_ends};
    Searcher limited = searcher(node_limit);
    Oracle oracle = explain_search(&limited);
    return searched(&limited, explain_settle(&oracle, &position, value, &own->lines[0]) ? EXPLAINED : UNDECIDED);
}

EXPORT(line) PlayLine *wasm_line(int which) { return &own->lines[which]; }

EXPORT(reason) int wasm_reason(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int outcome, int plies, int half_points)
{
    Position position = {me, opp, ko, left, pass_ends};
    return explain_lines(&own->reason, &position, &own->lines[0], &own->lines[1], outcome, plies, half_points);
}

EXPORT(text) const char *wasm_text(int which)
{
    const Reason *reason = &own->reason;
    const char *texts[] = {THEME_TEXTS[reason->theme], reason->worse, reason->better, KIND_TEXTS[reason->kind]};
    return texts[which];
}

EXPORT(legal) uint32_t wasm_legal(uint32_t me, uint32_t opp, int ko)
{
    Position position = {me, opp, ko, 1, false};
    return legal_of(&position);
}

/* Play a legal move. */
EXPORT(play) void wasm_play(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int move)
{
    Position position = {me, opp, ko, left, pass_ends};
    own->played = position_after(&position, move);
}

EXPORT(me) uint32_t wasm_me(void) { return own->played.me; }
EXPORT(opp) uint32_t wasm_opp(void) { return own->played.opp; }
EXPORT(ko) int wasm_ko(void) { return own->played.ko; }
EXPORT(left) int wasm_left(void) { return own->played.left; }
EXPORT(passed) int wasm_passed(void) { return own->played.pass_ends; }

/* The first point of the first group without a liberty, or POINTS. */
static int breathless(const Side *side)
{
    for (int i = 0; i < MAX_GROUPS; i++)
        if (side->group.at[i] && !side->liberties.at[i])
            return lowest(side->group.at[i]);
    return POINTS;
}

/* Whether a lone stone of the side could just have taken the stone that stood at the ko point. */
static bool has_taker(const Side *side, int ko)
{
    for (int i = 0; i < MAX_GROUPS; i++)
        if (one_bit_at_most(side->group.at[i]) && side->liberties.at[i] == BIT(ko))
            return true;
    return false;
}

/* As Position.check() in solver/position.py; the stones do not overlap, and the ko point is empty. */
EXPORT(fault) int wasm_fault(uint32_t me, uint32_t opp, int ko)
{
    Position position = {me, opp, ko, 1, false};
    Node node;
    fill_node(&node, &position);
    int mine = breathless(&node.me), theirs = breathless(&node.opp);
    if (mine < POINTS || theirs < POINTS)
        return NO_LIBERTY * FAULT + (mine < POINTS ? mine : theirs);
    if (ko == NO_KO)
        return 0;
    if (NEIGHBOURS[ko] & ~opp)
        return KO_NOT_SURROUNDED * FAULT + ko;
    return has_taker(&node.opp, ko) ? 0 : KO_WITHOUT_TAKER * FAULT + ko;
}

EXPORT(canonical) Key wasm_canonical(Key key) { return kernel_canonical(key); }

EXPORT(children) int wasm_children(Key key) { return kernel_children(key, own->children, (void *)0); }
EXPORT(child) Key wasm_child(int index) { return own->children[index]; }

EXPORT(perft) double wasm_perft(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int depth, int count_pass)
{
    Position position = {me, opp, ko, left, pass_ends};
    return (double)kernel_perft(&position, depth, count_pass);
}

#pragma clang attribute pop
