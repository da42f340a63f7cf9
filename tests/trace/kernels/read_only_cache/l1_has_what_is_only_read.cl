/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void l1_has_what_is_only_read_1(__global const int *restrict a,
                                         __global const int *restrict b, __global int *restrict out)
{
    const int i = get_global_id(0);
    out[i] = a[i + 1];
}

__kernel void l1_has_what_is_only_read_2(__global const int *a, __global const int *b,
                                         __global int *out)
{
    const int i = get_global_id(0);
    out[i] = a[i + 1];
}
