/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void loads_one_after_the_other(__global const int *a, __global const int *b,
                                        __global int *out)
{
    const int i = get_global_id(0);
    out[i] = b[i + a[i]];
}
