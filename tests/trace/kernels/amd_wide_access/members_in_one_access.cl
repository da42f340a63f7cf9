/* SPDX-License-Identifier: GPL-3.0-or-later */
typedef struct {
    int x, y, z;
} P;

__kernel void a_copy(__global const P *a, __global const P *b, __global P *out)
{
    const int i = get_global_id(0);
    out[i] = a[i];
}

__kernel void x_and_y(__global const P *a, __global const P *b, __global P *out)
{
    const int i = get_global_id(0);
    out[i].x = a[i].x + a[i].y;
}

__kernel void x_and_z(__global const P *a, __global const P *b, __global P *out)
{
    const int i = get_global_id(0);
    out[i].x = a[i].x + a[i].z;
}

__kernel void six_words(__global const P *a, __global const P *b, __global P *out)
{
    const int i = get_global_id(0);
    out[i].x = a[i].x + a[i].y + a[i].z + a[i + 1].x + a[i + 1].y;
}
