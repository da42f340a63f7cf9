/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void shared_side_by_side(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int tile[64];
    tile[lid] = a[i] & 63;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[lid ^ 1] + tile[lid ^ 2];
}

__kernel void shared_one_after_the_other(__global const int *a, __global const int *b,
                                         __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int tile[64];
    tile[lid] = a[i] & 63;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[tile[lid ^ 1]];
}
