/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void load_behind_a_store_to_another_buffer(__global const int *a, __global int *b,
                                                    __global int *restrict out)
{
    const int i = get_global_id(0);
    out[i] = a[i];
    out[i + 65536] = out[i ^ 256];
}
