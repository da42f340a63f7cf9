/* Copies between global and shared memory that a work-group makes together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

kernel void copies(global const uint *in, global uint *out, local uint *a, local float4 *b)
{
    size_t n = get_local_size(0), l = get_local_id(0), group = get_group_id(0);
    event_t events[2];

    prefetch(in + group * n, n);
    events[0] = async_work_group_copy(a, in + group * n, n + 3, 0);
    events[1] = async_work_group_strided_copy(b, (global const float4 *)in, n, 3, 0);
    wait_group_events(2, events);
    out[get_global_id(0)] = a[(l + 3) % (n + 3)] + as_uint(b[n - 1 - l].y);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] += 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    events[0] = async_work_group_copy(out + get_global_size(0) + group * n, a, n, 0);
    wait_group_events(1, events);
}

/* Fences, and a barrier for global memory: the group reads data that a work-item wrote there. */
kernel void fences(global const uint *in, global uint *out)
{
    size_t n = get_local_size(0), l = get_local_id(0), first = get_group_id(0) * n;

    out[first + l] = input(in, first + l);
    barrier(CLK_GLOBAL_MEM_FENCE);
    uint other = out[first + (l + 1) % n];
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    out[first + l] = other * 2;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    read_mem_fence(CLK_LOCAL_MEM_FENCE);
    write_mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[first + l]++;
}
