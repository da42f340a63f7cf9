/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void barrier_between_loads(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    int v = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = v + b[i];
}
