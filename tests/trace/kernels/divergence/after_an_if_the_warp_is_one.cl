/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void after_an_if_the_warp_is_one(__global const int *a, __global const int *b,
                                          __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    __global const short *s16 = (__global const short *)b;
    __global const long *s64 = (__global const long *)a;
    int v;
    if (lane & 1)
        v = s16[i];
    else
        v = (int)s64[i];
    out[i] = b[i + v];
}
