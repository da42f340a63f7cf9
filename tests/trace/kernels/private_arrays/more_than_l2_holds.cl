/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void more_than_l2_holds(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    int own[64];
    own[a[i] & 63] = i;
    out[i] = own[a[i] + b[i] + 32 & 63];
}
