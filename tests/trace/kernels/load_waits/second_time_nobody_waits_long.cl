/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void second_time_nobody_waits_long(__global const int *a, __global const int *b,
                                            __global int *out)
{
    const int i = get_global_id(0);
    int sum = 0;

#pragma unroll 1
    for (int j = 0; j < 128; j++)
        sum += a[j & 63];
    out[i] = sum;
}
