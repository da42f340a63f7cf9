/* SPDX-License-Identifier: GPL-3.0-or-later */
typedef struct {
    int x, y, z;
} P;

__kernel void a_store_between(__global const P *a, __global const P *b, __global P *out)
{
    const int i = get_global_id(0);
    const int x = a[i].x;
    out[i].y = x;
    out[i].x = x + a[i].y;
}

__kernel void another_buffer(__global const P *a, __global const P *b, __global P *out)
{
    const int i = get_global_id(0);
    out[i].x = a[i].x + b[i].y;
}
