/* What OpenCL C a random kernel needs, for clang to compile it as a library for this machine:
 * what random layouts need, with work-items of three dimensions and barriers that know their
 * memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "../layout_random/host.cl"

#undef get_global_id
#undef get_local_id
#undef get_group_id
#undef get_global_size
#undef get_local_size
#undef barrier

ulong sr_work_item(uint what, uint dimension);
void sr_barrier(uint fence, uint line);
void sr_atomic(volatile __global void *at);

#define get_global_id(d) sr_work_item(0, d)
#define get_local_id(d) sr_work_item(1, d)
#define get_group_id(d) sr_work_item(2, d)
#define get_global_size(d) sr_work_item(3, d)
#define get_local_size(d) sr_work_item(4, d)
#define get_num_groups(d) sr_work_item(5, d)
#define get_global_offset(d) sr_work_item(6, d)
#define get_work_dim() ((uint)sr_work_item(7, 0))
#define barrier(fence) sr_barrier(fence, __LINE__)

#define BOUNDS(type)                                                                               \
    static type __attribute__((overloadable, unused)) min(type a, type b)                          \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    static type __attribute__((overloadable, unused)) max(type a, type b)                          \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }                                                                                              \
    static type __attribute__((overloadable, unused)) clamp(type x, type low, type high)           \
    {                                                                                              \
        return min(max(x, low), high);                                                             \
    }
BOUNDS(char)
BOUNDS(uchar)
BOUNDS(short)
BOUNDS(ushort)
BOUNDS(int)
BOUNDS(uint)
BOUNDS(long)
BOUNDS(ulong)
BOUNDS(float)
#define mad24(a, b, c) ((a) * (b) + (c))
#define mul24(a, b) ((a) * (b))
#define mad(a, b, c) ((a) * (b) + (c))

LOADS(float, 2, __local)
LOADS(float, 4, __local)
LOADS(int, 2, __local)
LOADS(int, 4, __local)
LOADS(uchar, 4, __local)

#undef atomic_inc
#define sr_atomic_function(name, result)                                                           \
    static int __attribute__((overloadable, unused, no_sanitize("thread")))                        \
    sr_atomic_##name(volatile __global int *at, int v)                                             \
    {                                                                                              \
        int old;                                                                                   \
        sr_atomic(at);                                                                             \
        old = *at;                                                                                 \
        *at = result;                                                                              \
        return old;                                                                                \
    }
sr_atomic_function(add, old + v)
sr_atomic_function(max, old > v ? old : v)
sr_atomic_function(min, old < v ? old : v)
#define atomic_add(at, v) sr_atomic_add(at, v)
#define atomic_max(at, v) sr_atomic_max(at, v)
#define atomic_min(at, v) sr_atomic_min(at, v)
#define atomic_inc(at) sr_atomic_add(at, 1)

/* Local memory of all kernels here. */
__attribute__((visibility("hidden"))) extern __constant char __bss_start[], _end[];
ulong sr_local_start(void)
{
    return (ulong)__bss_start;
}
ulong sr_local_end(void)
{
    return (ulong)_end;
}
