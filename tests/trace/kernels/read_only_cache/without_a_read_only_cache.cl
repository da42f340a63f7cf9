/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void without_a_read_only_cache(__global const int *restrict a,
                                        __global const int *restrict b, __global int *restrict out)
{
    const int i = get_global_id(0);
    out[i] = a[i + 1];
}
