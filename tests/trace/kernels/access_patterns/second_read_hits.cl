/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void second_read_hits(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    int s = 0;

#pragma unroll 1
    for (int r = 0; r < 2; r++) {
        s += a[i];
        out[i + 4096 * r] = s;
    }
}
