/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void restrict_case(__global const int *restrict a, __global const int *restrict b,
                            __global int *restrict out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int s = a[lane];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = a[lane + s];
}

__kernel void no_restrict(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int s = a[lane];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = a[lane + s];
}
