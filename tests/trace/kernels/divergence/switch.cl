/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void switch_case(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    __global const short *s16 = (__global const short *)b;
    int v;
    switch (lane & 3) {
    case 0:
        v = ((__global const char *)b)[i];
        break;
    case 1:
        v = s16[i];
        break;
    case 2:
        v = a[i];
        break;
    default: {
        const int4 q = ((__global const int4 *)a)[i];
        v = q.x * q.y + q.z * q.w;
    }
    }
    out[i] = b[i + v];
}
