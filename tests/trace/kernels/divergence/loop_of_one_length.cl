/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void loop_of_one_length(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    int s = 0;

#pragma unroll 1
    for (int k = 0; k < get_local_size(0); k++)
        s += a[k];
    out[i] = s;
}
