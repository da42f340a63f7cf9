/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void a_side_and_behind(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    int v = i > 0 ? a[i - 1] : 0;
    out[i] = v + b[i];
}

__kernel void two_sides(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    int u = a[i + 1024], v = i > 0 ? a[i - 1] : 0, w = i < 255 ? a[i + 1] : 0;
    out[i] = u + v + w + b[i];
}
