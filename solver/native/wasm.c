/* The interface of the kernel as a WebAssembly module without imports. The module contains one searcher. All parameters and results
 * are numbers, and kernel.h explains the parameters.
 *
 * To search, create a table. Then decide whether the value of a position reaches a goal, or find the value:
 *
 *     const {exports} = await WebAssembly.instantiate(module)
 *     exports.open(1 << 20, 0)                                         create an empty table of 64 MiB
 *     exports.decide(me, opp, ko, left, pass_ends, goal, node_limit)   call kernel_decide()
 *     exports.value(me, opp, ko, left, pass_ends, 99, node_limit)      call kernel_value(); 99 is NO_GUESS
 *     exports.bound(me, opp, ko, left, pass_ends, goal, node_limit)    decide without looking for the best move, which is faster
 *     exports.lo(), exports.hi(), exports.best(), exports.nodes()      return the answer of the last search
 *     exports.teach(me, opp, ko, left, pass_ends, lo, hi, best)        store proven bounds in the table
 *
 * A running search cannot be interrupted. Instead, search with a node limit, and repeat the search while lo() < goal <= hi(). The
 * repeated search is faster, because the table keeps the results. The table is in the module's memory, after the static data of the
 * module.
 *
 * Instances do not share memory. These functions pass expensive results from one instance to other instances:
 *
 *     exports.keep(nodes)                                              from now on, collect results that cost this many nodes
 *     exports.kept()                                                   return the number of results, and begin to collect again
 *     exports.kept_at()                                                return the address of the first result, a Kept
 *
 * If the module is compiled with SHARED, it imports a memory, and instances in several threads share this memory and one table. The
 * caller assigns a separate stack and separate areas of memory to each instance, and then calls share() instead of open():
 *
 *     exports.__stack_pointer.value = …                                set the upper end of the stack
 *     exports.__wasm_init_tls(…)                                       set the address of the thread-local data
 *     exports.own_at(…)                                                set the address of an area of own_bytes() zeros
 *     exports.share(table, busy, lines, seed)                          use the table; one instance teaches it for all
 *
 * The functions explain() and settle() explain a mistake, and find a line of best play. They return -1 if a position whose value
 * they need is not decided yet:
 *
 *     exports.explain(me, opp, ko, left, pass_ends, move, node_limit)  return 0 if the move is a best move; return an outcome of
 *                                                                      explain.h, 1 or more, if the lines are found: line(0)
 *                                                                      after the move, line(1) instead of it
 *     exports.settle(me, opp, ko, left, pass_ends, value, node_limit)  return 1 if line(0) is best play from the position
 *     exports.line(which)                                              return the address of a PlayLine
 *
 * After the result -1, the functions me(), opp(), ko(), left() and passed() return the position that is not decided yet. If the
 * caller has bounds of this position from another source, it can call teach(). With a node limit of 0 the functions read the table,
 * but search nothing.
 *
 * The following functions need no table, so the page uses one instance for the rules and other instances for searches:
 *
 *     exports.legal(me, opp, ko)                                       return the mask of the legal points
 *     exports.play(me, opp, ko, left, pass_ends, move)                 set me(), opp(), ko(), left() and passed() to the position
 *                                                                      after the move, from the side of its mover
 *     exports.fault(me, opp, ko)                                       return the reason why a board is impossible, or 0
 *     exports.reason(me, opp, ko, left, pass_ends, outcome, plies, half_points)
 *                                                                      return 1, and set text() for the lines line(0) and line(1);
 *                                                                      return 0 if explain_lines() fails
 *     exports.text(which)                                              return the address of a text that ends with 0: the theme,
 *                                                                      the sentences about both lines, the kind
 *     exports.canonical(key)                                           return the canonical key of a key, both as BigInt
 *     exports.children(key)                                            return the number of positions after a position
 *     exports.child(index)                                             return the canonical key of one of them
 *     exports.perft(me, opp, ko, left, pass_ends, depth, count_pass)   call kernel_perft()
 */
/* The file explain.c is included instead of linked, because the linker does not always put two files into the same order, and the
 * bytes of the module must be the same on every machine. The functions of explain.c are compiled for size, because the page
 * contains the module and these functions need little time. */
#include "kernel.c"
#pragma clang attribute push(__attribute__((minsize)), apply_to = function)
#include "explain.c"
#pragma clang attribute pop

#define EXPORT(name) __attribute__((export_name(#name)))

enum { PAGE = 1 << 16, MOST_KEPT = 1 << 12 };

extern unsigned char __heap_base[];   /* the first address of free memory; the linker sets this symbol */

/* The data of one instance of the module. */
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

/* Set the address of this instance's data. The memory at this address must contain zeros. */
EXPORT(own_at) void wasm_own_at(Own *at) { own = at; }

/* Share a table and a busy array with other instances. The table and the busy array must contain zeros when the first instance
 * begins to use them. The address of the table must be a multiple of LINE_BYTES. */
EXPORT(share) void wasm_share(void *table, uint32_t *busy, uint32_t lines, uint32_t seed)
{
    kernel_open(&own->kernel, table, lines, seed);
    own->kernel.busy = busy;
}

EXPORT(busy_bytes) uint32_t wasm_busy_bytes(void) { return BUSY_TAGS * sizeof(uint32_t); }
#else
static Own here, *const own = &here;
#endif

/* The reasons why a board is impossible. The function fault() returns reason * FAULT + point, where `point` is the point with the
 * fault. */
enum { NO_LIBERTY = 1, KO_NOT_SURROUNDED, KO_WITHOUT_CAPTURER, FAULT = 32 };

/* Create an empty table, and return whether there was enough memory. The number of lines must be a power of two, and at least
 * LEAST_LINES. */
EXPORT(open) int wasm_open(uint32_t lines, uint32_t seed)
{
    uint64_t base = ((uint64_t)(uintptr_t)__heap_base + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    uint64_t end = base + (uint64_t)lines * LINE_BYTES, had = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
    if (end > had && __builtin_wasm_memory_grow(0, (uintptr_t)((end - had + PAGE - 1) / PAGE)) == (uintptr_t)-1)
        return 0;
    /* New memory is zeroed, but an earlier table has written to the old memory. */
    __builtin_memset((void *)(uintptr_t)base, 0, (uintptr_t)((end < had ? end : had) - base));
    own->kernel = (Kernel){0};
    kernel_open(&own->kernel, (void *)(uintptr_t)base, lines, seed);
    own->kernel.kept = own->kept;
    own->kernel.kept_room = MOST_KEPT;
    own->kernel.keep_nodes = own->keep_nodes;
    return 1;
}

/* Call kernel_decide(). The parameter node_limit is a double, because JavaScript's numbers are doubles; 0 means that there is no
 * limit. */
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

/* Store proven bounds in the table with a cost of UINT32_MAX nodes, so that other entries are replaced earlier. */
EXPORT(teach) void wasm_teach(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int lo, int hi, int best)
{
    Position position = {me, opp, ko, left, pass_ends};
    Answer known = {lo, hi, best, UINT32_MAX};
    kernel_teach(&own->kernel, &position, &known);
}

/* Collect results that cost at least `nodes` nodes, or no results if `nodes` is 0. A search whose node limit is at most MOST_KEPT
 * times this number does not fill the array. */
EXPORT(keep) void wasm_keep(double nodes) { own->kernel.keep_nodes = own->keep_nodes = (uint64_t)nodes; }

EXPORT(kept) int wasm_kept(void)
{
    int count = own->kernel.kept_count;
    own->kernel.kept_count = 0;
    return count;
}

EXPORT(kept_at) const Kept *wasm_kept_at(void) { return own->kept; }

#pragma clang attribute push(__attribute__((minsize)), apply_to = function)

/* Return a searcher for lines that has a node limit. Until finish_search() is called, answer.nodes is the number of nodes at the
 * start. */
static Searcher begin_search(double node_limit)
{
    own->answer.nodes = own->kernel.nodes;
    return (Searcher){.kernel = &own->kernel, .end = own->kernel.nodes + (uint64_t)node_limit};
}

/* Store the number of searched nodes and the undecided position for the functions that return them. Return the outcome. */
static int finish_search(const Searcher *searcher, int outcome)
{
    own->answer.nodes = own->kernel.nodes - own->answer.nodes;
    own->played = searcher->open;
    return outcome;
}

EXPORT(explain) int wasm_explain(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int move, double node_limit)
{
    Position position = {me, opp, ko, left, pass_ends};
    Searcher limited = begin_search(node_limit);
    Oracle oracle = explain_search(&limited);
    return finish_search(&limited, explain_move(&oracle, &position, move, &own->lines[0], &own->lines[1]));
}

EXPORT(settle) int wasm_settle(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int value, double node_limit)
{
    Position position = {me, opp, ko, left, pass_ends};
    Searcher limited = begin_search(node_limit);
    Oracle oracle = explain_search(&limited);
    return finish_search(&limited, explain_settle(&oracle, &position, value, &own->lines[0]) ? EXPLAINED : UNDECIDED);
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

/* Play a legal move. After that, me(), opp(), ko(), left() and passed() return the position after the move. */
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

/* Return the first point of the first group without a liberty, or POINTS if every group has a liberty. */
static int point_without_liberty(const Side *side)
{
    for (int i = 0; i < MAX_GROUPS; i++)
        if (side->group.at[i] && !side->liberties.at[i])
            return lowest(side->group.at[i]);
    return POINTS;
}

/* Return whether the side has a single stone whose only liberty is the ko point. Such a stone can have created the ko by a
 * capture. */
static bool has_capturer(const Side *side, int ko)
{
    for (int i = 0; i < MAX_GROUPS; i++)
        if (one_bit_at_most(side->group.at[i]) && side->liberties.at[i] == BIT(ko))
            return true;
    return false;
}

/* Check a board as Position.check() in solver/position.py does. The caller must ensure that no point has two stones, and that the
 * ko point is empty. */
EXPORT(fault) int wasm_fault(uint32_t me, uint32_t opp, int ko)
{
    Position position = {me, opp, ko, 1, false};
    Node node;
    fill_node(&node, &position);
    int me_point = point_without_liberty(&node.me), opp_point = point_without_liberty(&node.opp);
    if (me_point < POINTS || opp_point < POINTS)
        return NO_LIBERTY * FAULT + (me_point < POINTS ? me_point : opp_point);
    if (ko == NO_KO)
        return 0;
    if (NEIGHBOURS[ko] & ~opp)
        return KO_NOT_SURROUNDED * FAULT + ko;
    return has_capturer(&node.opp, ko) ? 0 : KO_WITHOUT_CAPTURER * FAULT + ko;
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
