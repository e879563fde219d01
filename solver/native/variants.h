/* The kernel's long searches, compiled once for any processor and once more for a newer kind; the tables are the same.
 *
 * x86-64-v3 is AVX2 and its like, which most x86-64 processors have had since 2013. One file has both variants, so that
 * one build serves every processor of an architecture.
 */
#ifndef VARIANTS_H
#define VARIANTS_H

#include "kernel.h"

typedef struct {
    const char *name;
    Answer (*decide)(Kernel *kernel, const Position *position, int goal, uint64_t node_limit);
    Answer (*value)(Kernel *kernel, const Position *position, int guess, uint64_t node_limit);
    bool (*moves)(Kernel *kernel, MoveValues *values, uint64_t node_limit);
    uint64_t (*perft)(const Position *position, int depth, bool count_pass);
    int (*children)(Key key, Key children[MOST_CHILDREN], uint8_t moves[MOST_CHILDREN]);
} Variant;

enum { MOST_VARIANTS = 2 };

/* List the variants that this processor runs, the fastest last; return how many. */
int kernel_variants(const Variant *variants[MOST_VARIANTS]);

#endif
