/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void what_is_given_is_passed(__global const int *a, __constant int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = a[i] + b[i];
}
