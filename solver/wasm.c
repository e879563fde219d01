/* The kernel as WebAssembly: one searcher, flat functions, and no imports. solver/kernel.h says what all means.
 *
 *     const {exports} = await WebAssembly.instantiate(module)
 *     exports.open(1 << 20, 0)                                         a table of 64 MiB
 *     exports.decide(me, opp, ko, left, pass_ends, goal, node_limit)   or
 *     exports.value(me, opp, ko, left, pass_ends, 99, node_limit)      or a guess in place of 99
 *     exports.lo(), exports.hi(), exports.best(), exports.nodes()      what was found
 *
 * Nothing interrupts a search: ask with a node limit, and again for as long as lo() < goal <= hi(). The table keeps what
 * was found. The module's memory belongs to the table, which begins where the compiler's own data ends.
 */
#include "kernel.c"  /* in one unit: which of two the linker takes first is left to chance, and the bytes with it */

#define EXPORT(name) __attribute__((export_name(#name)))

enum { PAGE = 1 << 16 };

extern unsigned char __heap_base[];   /* the linker's: where free memory begins */

static Kernel kernel;
static Answer answer;

/* Take an empty table of `lines` lines, a power of two, LEAST_LINES or more; whether there was memory for it. */
EXPORT(open) int wasm_open(uint32_t lines, uint32_t seed)
{
    uint64_t base = ((uint64_t)(uintptr_t)__heap_base + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    uint64_t end = base + (uint64_t)lines * LINE_BYTES, had = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
    if (end > had && __builtin_wasm_memory_grow(0, (uintptr_t)((end - had + PAGE - 1) / PAGE)) == (uintptr_t)-1)
        return 0;
    /* New memory is zeroed; what an earlier table has written is not. */
    __builtin_memset((void *)(uintptr_t)base, 0, (uintptr_t)((end < had ? end : had) - base));
    kernel = (Kernel){0};
    kernel_open(&kernel, (void *)(uintptr_t)base, lines, seed);
    return 1;
}

/* The node limit is a double, as are JavaScript's numbers; 0: none. */
EXPORT(decide) void wasm_decide(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int goal, double node_limit)
{
    Position position = {me, opp, ko, left, pass_ends};
    answer = kernel_decide(&kernel, &position, goal, (uint64_t)node_limit);
}

EXPORT(value) void wasm_value(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int guess, double node_limit)
{
    Position position = {me, opp, ko, left, pass_ends};
    answer = kernel_value(&kernel, &position, guess, (uint64_t)node_limit);
}

EXPORT(lo) int wasm_lo(void) { return answer.lo; }
EXPORT(hi) int wasm_hi(void) { return answer.hi; }
EXPORT(best) int wasm_best(void) { return answer.best; }
EXPORT(nodes) double wasm_nodes(void) { return (double)answer.nodes; }

EXPORT(perft) double wasm_perft(uint32_t me, uint32_t opp, int ko, int left, int pass_ends, int depth, int count_pass)
{
    Position position = {me, opp, ko, left, pass_ends};
    return (double)kernel_perft(&position, depth, count_pass);
}
