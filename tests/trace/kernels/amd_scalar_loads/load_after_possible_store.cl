/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void a_store_before(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = b[i];
    out[i + 1024] = a[3];
}

__kernel void a_store_behind(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = a[3];
    out[i + 1024] = b[i];
}

__kernel void a_store_in_the_loop(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);

#pragma unroll 1
    for (int j = 0; j < 16; j++)
        out[i + 1024 * j] = a[j];
}

__kernel void a_barrier_between(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    const int x = b[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = x + a[3];
}
