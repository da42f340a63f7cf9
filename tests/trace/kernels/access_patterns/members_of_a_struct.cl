/* SPDX-License-Identifier: GPL-3.0-or-later */
typedef struct {
    int x, y, z;
} v;

__kernel void members_of_a_struct(__global const v *a, __global const v *b, __global int *out)
{
    const int i = get_global_id(0);
    out[i] = a[i].x * a[i].y + a[i].z;
}
