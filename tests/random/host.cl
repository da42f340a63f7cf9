/* What OpenCL C a random program needs, for clang to compile it as a library for this machine. The
 * work-items of a program run one after the other: atomics need not be.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#include <opencl-c-base.h>

/* machine.c */
ulong rd_work_item(uint what, uint dimension);
void rd_barrier(uint fence, uint line);
/* memory.c */
void rd_atomic(volatile __global void *at);

#define get_global_id(d) rd_work_item(0, d)
#define get_local_id(d) rd_work_item(1, d)
#define get_group_id(d) rd_work_item(2, d)
#define get_global_size(d) rd_work_item(3, d)
#define get_local_size(d) rd_work_item(4, d)
#define get_num_groups(d) rd_work_item(5, d)
#define get_global_offset(d) rd_work_item(6, d)
#define get_work_dim() ((uint)rd_work_item(7, 0))
#define barrier(fence) rd_barrier(fence, __LINE__)

#define FUNCTION(type) static type __attribute__((overloadable, unused))

#define BOUNDS(type)                                                                               \
    FUNCTION(type) min(type a, type b) { return b < a ? b : a; }                                   \
    FUNCTION(type) max(type a, type b) { return a < b ? b : a; }                                   \
    FUNCTION(type) clamp(type x, type low, type high) { return min(max(x, low), high); }
#define mad24(a, b, c) ((a) * (b) + (c))
#define mul24(a, b) ((a) * (b))
#define mad(a, b, c) ((a) * (b) + (c))

#define LOADS(type, width, space)                                                                  \
    FUNCTION(type##width) vload##width(size_t i, const space type *from)                           \
    {                                                                                              \
        type##width v;                                                                             \
        for (uint k = 0; k < width; k++)                                                           \
            v[k] = from[i * width + k];                                                            \
        return v;                                                                                  \
    }                                                                                              \
    FUNCTION(void) vstore##width(type##width v, size_t i, space type *to)                          \
    {                                                                                              \
        for (uint k = 0; k < width; k++)                                                           \
            to[i * width + k] = v[k];                                                              \
    }
#define LOADS_IN(type, space)                                                                      \
    LOADS(type, 2, space) LOADS(type, 3, space) LOADS(type, 4, space) LOADS(type, 8, space)        \
    LOADS(type, 16, space)

#define OF(type) BOUNDS(type) LOADS_IN(type, __global) LOADS_IN(type, __local)
OF(char)
OF(uchar)
OF(short)
OF(ushort)
OF(int)
OF(uint)
OF(long)
OF(ulong)
OF(float)
OF(double)

#define ATOMIC(name, type, result)                                                                 \
    FUNCTION(type) __attribute__((no_sanitize("thread")))                                          \
    atomic_##name(volatile __global type *at, type v)                                              \
    {                                                                                              \
        type old;                                                                                  \
        rd_atomic(at);                                                                             \
        old = *at;                                                                                 \
        *at = (type)(result);                                                                      \
        return old;                                                                                \
    }
#define ATOMICS(type)                                                                              \
    ATOMIC(add, type, (uint)old + (uint)v)                                                         \
    ATOMIC(sub, type, (uint)old - (uint)v)                                                         \
    ATOMIC(xor, type, old ^ v)                                                                     \
    ATOMIC(or, type, old | v)                                                                      \
    ATOMIC(and, type, old &v)                                                                      \
    ATOMIC(min, type, old < v ? old : v)                                                           \
    ATOMIC(max, type, old > v ? old : v)
ATOMICS(int)
ATOMICS(uint)
#define atomic_inc(at) atomic_add(at, 1)

/* Local memory that all kernels of this file use. */
__attribute__((visibility("hidden"))) extern __constant char __bss_start[], _end[];
ulong rd_local_start(void)
{
    return (ulong)__bss_start;
}
ulong rd_local_end(void)
{
    return (ulong)_end;
}
