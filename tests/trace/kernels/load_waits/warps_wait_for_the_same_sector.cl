/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void warps_wait_for_the_same_sector(__global const int *a, __global const int *b,
                                             __global int *out)
{
    const int i = get_global_id(0);
    int sum = 0;

#pragma unroll 1
    for (int j = 0; j < 64; j++)
        sum += a[j];
    out[i] = sum;
}
