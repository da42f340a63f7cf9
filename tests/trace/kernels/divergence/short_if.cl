/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void short_if(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int v = 0;
    if (lane & 1)
        v = a[i];
    out[i] = v;
}
