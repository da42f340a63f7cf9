/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void a_sum(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    atomic_add(&out[1], i);
}

__kernel void compare_and_swap(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i + 64] = atomic_cmpxchg(&out[1], 0, i);
}
