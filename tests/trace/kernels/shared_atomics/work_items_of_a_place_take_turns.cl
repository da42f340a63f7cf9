/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void places_of_their_own(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int bins[32];
    bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[a[i]], i);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = bins[0];
}

__kernel void one_place(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int bins[32];
    bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_max(&bins[a[i]], i);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = bins[0];
}

__kernel void compare_and_swap(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int bins[32];
    bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i + 64] = atomic_cmpxchg(&bins[a[i]], 0, i);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = bins[0];
}
