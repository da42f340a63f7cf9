/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void turn_misses_what_it_loads(__global const int *a, __global const int *b,
                                        __global int *out)
{
    const int i = get_global_id(0);
    __global const int4 *four = (__global const int4 *)a;
    int4 sum = 0;

#pragma unroll 1
    for (int j = 0; j < 64; j += 8)
        for (int k = 0; k < 8; k++)
            sum += four[j + k] * (k + 1);
    out[i] = sum.x + sum.y * sum.z + sum.w;
}
