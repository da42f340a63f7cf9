/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void and_stops_early(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    __global const short *s16 = (__global const short *)b;
    if (a[i] == 0 && s16[i] == 0)
        out[i] = 1;
}
