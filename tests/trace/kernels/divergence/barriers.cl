/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void barriers(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int tile[128];
    int s = 0;

#pragma unroll 1
    for (int k = 0; k < 3; k++) {
        tile[lid] = a[i + 512 * k];
        barrier(CLK_LOCAL_MEM_FENCE);
        s += tile[127 - lid];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = s;
}
