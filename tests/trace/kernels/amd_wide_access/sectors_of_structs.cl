/* SPDX-License-Identifier: GPL-3.0-or-later */
typedef struct {
    int x, y, z;
} P;

__kernel void sectors_of_structs(__global const P *a, __global const P *b, __global P *out)
{
    out[get_global_id(0)] = a[get_global_id(0)];
}
