/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void a_constant_away(__global const int *a, __global const int *b, __global int *out)
{
    const size_t g = get_global_id(0);
    out[g] = a[g];
    out[g + 65536] = out[g + 256];
}

__kernel void somewhere(__global const int *a, __global const int *b, __global int *out)
{
    const size_t g = get_global_id(0);
    out[g] = a[g];
    out[g + 65536] = out[g ^ 256];
}
