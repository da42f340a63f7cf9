/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void both_sides_of_an_if(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    __global const short *s16 = (__global const short *)b;
    __global const long *s64 = (__global const long *)a;
    if (lane & 1)
        ((__global short *)(out + 65536))[i] = s16[i] + 1;
    else
        ((__global long *)out)[i] = s64[i] + 2;
}
