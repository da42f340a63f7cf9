/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void no_result(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    atomic_add(&out[i], 1);
}

__kernel void a_result(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = b[atomic_add(&out[i + 1024], 1)];
}
