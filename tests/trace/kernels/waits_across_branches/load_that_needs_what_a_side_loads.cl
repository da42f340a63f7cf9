/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void load_that_needs_what_a_side_loads(__global const int *a, __global const int *b,
                                                __global int *out)
{
    const int i = get_global_id(0);
    int v = i > 0 ? a[i - 1] : 0;
    out[i] = b[i + v];
}
