/* Compile the kernel for x86-64-v3 from the same source, with different names for the functions of kernel.h. */
#ifdef __x86_64__
#ifdef __clang__
/* This line lists the features one by one, because "arch=x86-64-v3" would have no effect under Zig: Zig disables single features on
 * the command line, and a disabled feature has priority over an architecture that includes the feature. */
#define V3 "avx,avx2,bmi,bmi2,f16c,fma,lzcnt,movbe,popcnt,sse3,ssse3,sse4.1,sse4.2"
#pragma clang attribute push(__attribute__((target(V3))), apply_to = function)
#else
#pragma GCC target("arch=x86-64-v3")
#endif

#define kernel_open v3_open
#define kernel_decide v3_decide
#define kernel_value v3_value
#define kernel_teach v3_teach
#define kernel_perft v3_perft
#define kernel_list_moves v3_list_moves
#define kernel_move_lo v3_move_lo
#define kernel_move_hi v3_move_hi
#define kernel_narrow v3_narrow
#define kernel_moves v3_moves
#define kernel_canonical v3_canonical
#define kernel_children v3_children

#include "kernel.c"
#include "cpu_builds.h"

extern const CpuBuild X86_64_V3;
const CpuBuild X86_64_V3 = {"x86-64-v3", v3_decide, v3_value, v3_moves, v3_perft, v3_children};

#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int nothing_to_compile;
#endif
