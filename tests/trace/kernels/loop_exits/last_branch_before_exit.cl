/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void at_the_end(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int s[64];
    s[lid] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        out[i] = s[63];
}

__kernel void before_the_end(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int s[64];
    s[lid] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        out[i] = s[63];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[64 + i] = s[63 - lid];
}
