/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void if_of_whole_warps(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    if (i >> 5 & 1)
        out[i] = a[i];
}
