/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void without_l1_all_is_in_l2(__global const int *a, __global const int *b,
                                      __global int *out)
{
    const int i = get_global_id(0);
    int own[64];

#pragma unroll 1
    for (int j = 0; j < 64; j++)
        own[j] = i + j;
    out[i] = own[a[i] & 63];
}
