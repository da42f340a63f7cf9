/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void stores_by_pattern(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[I] = a[i];
}
