/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void loads_side_by_side(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = a[i] + b[i];
}
