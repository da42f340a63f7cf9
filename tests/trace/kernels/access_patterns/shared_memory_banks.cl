/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void shared_memory_banks(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int tile[33 * 32];
    tile[S * lid] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tile[S * (31 - lid)];
}
