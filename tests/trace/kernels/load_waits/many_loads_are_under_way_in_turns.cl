/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void many_loads_are_under_way_in_turns(__global const int *a, __global const int *b,
                                                __global int *out)
{
    const int i = get_global_id(0);
    int sum = 0;

#pragma unroll
    for (int j = 0; j < 20; j++)
        sum += a[i + 1024 * j];
    out[i] = sum;
}
