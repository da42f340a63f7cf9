/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void restrict_pointers(__global const int *restrict a, __global const int *restrict b,
                                __global int *restrict out)
{
    const int i = get_global_id(0);

#pragma unroll 1
    for (int j = 0; j < 16; j++)
        out[i + 1024 * j] = a[j];
}
