/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void no_result(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    atomic_add(out + i, 1);
}

__kernel void a_result(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i + 65536] = atomic_add(out + i, 1);
}

__kernel void both(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    atomic_add(out + i, 1);
    out[i + 65536] = atomic_cmpxchg(out + 8 * i + 1024, 1, 2);
}
