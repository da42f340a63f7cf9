/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void loop_as_long_as_the_lane(__global const int *a, __global const int *b,
                                       __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int s = 0;

#pragma unroll 1
    for (int k = 0; k < lane; k++)
        s += a[32 * k + lane];
    out[i] = b[i + s];
}
