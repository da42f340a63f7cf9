/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void a_constant_place(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = a[3] + b[i];
}

__kernel void of_the_group(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = a[get_group_id(0)] + b[i];
}

__kernel void of_the_loop(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    int sum = 0;

#pragma unroll 1
    for (int j = 0; j < 16; j++)
        sum += a[j] * b[i + j];
    out[i] = sum;
}

__kernel void of_a_work_item(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    out[i] = a[lid / 64] + b[i];
}
