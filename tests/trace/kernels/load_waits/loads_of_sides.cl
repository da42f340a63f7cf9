/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void loads_of_sides(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    int x = 0, y = 0;
    if (lid & 1)
        x = a[i];
    if (lid & 2)
        y = b[i];
    out[i] = x + y;
}
