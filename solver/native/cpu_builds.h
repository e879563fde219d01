/* On x86-64 the kernel's long searches are compiled twice: for any processor, and for x86-64-v3. Both builds search the same tree
 * and use the same tables.
 *
 * The architecture level x86-64-v3 includes AVX2, which most x86-64 processors have had since 2013. One module contains both
 * builds, so a wheel runs on every processor of its architecture.
 */
#ifndef LITTLE_GO_CPU_BUILDS_H
#define LITTLE_GO_CPU_BUILDS_H

#include "kernel.h"

typedef struct {
    const char *name;
    Answer (*decide)(Kernel *kernel, const Position *position, int goal, uint64_t node_limit);
    Answer (*value)(Kernel *kernel, const Position *position, int guess, uint64_t node_limit);
    bool (*moves)(Kernel *kernel, MoveValues *values, uint64_t node_limit);
    uint64_t (*perft)(const Position *position, int depth, bool count_pass);
    int (*children)(Key key, Key children[MOST_CHILDREN], uint8_t moves[MOST_CHILDREN]);
} CpuBuild;

enum { MOST_CPU_BUILDS = 2 };

/* Write the builds that this processor can run into `builds`, with the fastest build last, and return the number of builds. */
int cpu_builds(const CpuBuild *builds[MOST_CPU_BUILDS]);

#endif
