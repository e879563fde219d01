/* Answer questions with the kernel, so that a build for another system can be tested without Python.
 *
 * Usage: driver BUILD LINES. Each line of standard input is "me opp ko left pass_ends goal". All six are numbers; the goal 99
 * (NO_GUESS) means that the exact value is wanted. For each line the program prints "lo hi best nodes". One kernel answers all
 * lines. The first line of output is the name of the build with the number BUILD. There is no output if this processor cannot
 * run that build.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu_builds.h"

int main(int argc, char **argv)
{
    const CpuBuild *builds[MOST_CPU_BUILDS];
    int number = argc == 3 ? atoi(argv[1]) : MOST_CPU_BUILDS;
    if (number >= cpu_builds(builds))
        return 0;
    puts(builds[number]->name);
    uint64_t lines = strtoull(argv[2], NULL, 10);
    char *room = calloc(1, (lines + 1) * LINE_BYTES);
    Kernel *kernel = calloc(1, sizeof(Kernel));
    if (!room || !kernel)
        return 1;
    kernel_open(kernel, room + LINE_BYTES - (uintptr_t)room % LINE_BYTES, lines, 0);
    uint32_t me, opp;
    int ko, left, pass_ends, goal;
    while (scanf("%" SCNu32 " %" SCNu32 " %d %d %d %d", &me, &opp, &ko, &left, &pass_ends, &goal) == 6) {
        Position position = {me, opp, ko, left, pass_ends};
        Answer answer = goal == NO_GUESS ? builds[number]->value(kernel, &position, NO_GUESS, 0)
                                         : builds[number]->decide(kernel, &position, goal, 0);
        printf("%d %d %d %" PRIu64 "\n", answer.lo, answer.hi, answer.best, answer.nodes);
    }
    return 0;
}
