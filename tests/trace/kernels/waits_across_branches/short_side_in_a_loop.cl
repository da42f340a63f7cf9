/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void short_side_in_a_loop(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int sum = 0;

#pragma unroll 1
    for (int j = 0; j < 16; j++) {
        if (lane > j)
            sum += a[i + 1024 * j];
        sum += b[i + 1024 * j];
    }
    out[i] = sum;
}
