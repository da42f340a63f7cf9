/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void wide_elements_are_two_lines(__global const int *a, __global const int *b,
                                          __global int *out)
{
    const int i = get_global_id(0);
    long own[64];
    own[a[i] & 63] = i;
    out[i] = (int)(own[a[i] + b[i] + 32 & 63] >> 7);
}
