#include "cpu_builds.h"

#ifdef __x86_64__
#include <cpuid.h>

extern const CpuBuild X86_64_V3;

enum {
    BASE_LEAF = 1, EXTENDED_FEATURES = 7, AMD_LEAF = 0x80000001,
    FMA = 1 << 12, MOVBE = 1 << 22, OSXSAVE = 1 << 27, AVX = 1 << 28, F16C = 1 << 29,   /* bits in register ecx for BASE_LEAF */
    BMI1 = 1 << 3, AVX2 = 1 << 5, BMI2 = 1 << 8,                          /* bits in register ebx for EXTENDED_FEATURES */
    LZCNT = 1 << 5,                                                       /* the bit in register ecx for AMD_LEAF */
    SSE_STATE = 2, AVX_STATE = 4,                                         /* bits in the extended control register 0 */
};

static bool has_all(unsigned found, unsigned wanted) { return (found & wanted) == wanted; }

/* Return a mask of the register sets that the operating system saves when it switches threads. */
static unsigned saved_state(void)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool is_v3(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(BASE_LEAF, &a, &b, &c, &d) && has_all(c, FMA | MOVBE | OSXSAVE | AVX | F16C)
        && has_all(saved_state(), SSE_STATE | AVX_STATE)
        && __get_cpuid_count(EXTENDED_FEATURES, 0, &a, &b, &c, &d) && has_all(b, BMI1 | AVX2 | BMI2)
        && __get_cpuid(AMD_LEAF, &a, &b, &c, &d) && has_all(c, LZCNT);
}
#endif

static const CpuBuild PLAIN = {"plain", kernel_decide, kernel_value, kernel_moves, kernel_perft, kernel_children};

int cpu_builds(const CpuBuild *builds[MOST_CPU_BUILDS])
{
    int count = 0;
    builds[count++] = &PLAIN;
#ifdef __x86_64__
    if (is_v3())
        builds[count++] = &X86_64_V3;
#endif
    return count;
}
