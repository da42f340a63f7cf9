/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void conversions(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    ((__global float *)out)[i] = ((__global const TYPE *)a)[i];
}
