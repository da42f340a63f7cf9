/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void loop_that_is_left_one_by_one(__global const int *a, __global const int *b,
                                           __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int k = 0;

#pragma unroll 1
    for (; k < 32; k++)
        if (a[32 * k + lane] != 0)
            break;
    out[i] = b[i + k - lane];
}
