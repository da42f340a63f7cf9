/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void loop_with_continue(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    __global const short *s16 = (__global const short *)b;
    int s = 0;

#pragma unroll 1
    for (int k = 0; k < 8; k++) {
        if (a[32 * k + lane] + lane & 1)
            continue;
        s += s16[32 * k + lane];
    }
    out[i] = b[i + s];
}
