/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void restrict_case(__global const int *restrict a, __global const int *restrict b,
                            __global int *restrict out)
{
    const int i = get_global_id(0);
    out[i] = a[32 * i];
}

__kernel void no_restrict(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = a[32 * i];
}
