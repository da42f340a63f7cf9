/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void load_behind_many_stores(__global const int *a, __global const int *b,
                                      __global int *out)
{
    const size_t g = get_global_id(0);
    const int v = a[g];

#pragma unroll
    for (int j = 0; j < STORES; j++)
        out[g + 1024 * j] = v + j;
    out[g + 65536] = out[g + 512];
}
