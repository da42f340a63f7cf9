/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void private_arrays(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int t[32];

#pragma unroll 1
    for (int k = 0; k < 32; k++)
        t[k] = a[32 * k + lane];
    out[i] = t[b[i] & 31];
}
