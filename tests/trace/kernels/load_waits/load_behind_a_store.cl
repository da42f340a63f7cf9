/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void load_behind_a_store(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = a[i];
    out[i + 65536] = b[i];
}
