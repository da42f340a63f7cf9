/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void char_case(__global const char *a, __global const int *b, __global int *out)
{
    out[get_global_id(0)] = a[3];
}

__kernel void int4_case(__global const int4 *a, __global const int *b, __global int *out)
{
    out[get_global_id(0)] = a[3].x + a[3].w;
}
