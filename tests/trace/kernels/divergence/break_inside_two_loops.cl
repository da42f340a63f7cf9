/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void break_inside_two_loops(__global const int *a, __global const int *b,
                                     __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int s = 0;

#pragma unroll 1
    for (int o = 0; o < 4; o++) {

#pragma unroll 1
        for (int j = 0; j < 8; j++) {
            s += a[32 * (8 * o + j) + lane];
            if (j == (lane & 3))
                break;
        }
        s += b[32 * o + lane + s];
    }
    out[i] = s;
}
