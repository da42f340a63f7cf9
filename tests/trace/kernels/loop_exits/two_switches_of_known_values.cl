/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void two_switches_of_known_values(__global const int *a, __global const int *b,
                                           __global int *out)
{
    const int lid = get_local_id(0), lane = lid & 31;
    __local int s[32];
    s[lid] = lane;
    switch ((unsigned)a[lane] % 4u) {
    case 1:
        s[lid]++;
        break;
    case 2:
        s[lid] = 17;
        break;
    case 3:
        atomic_add(&out[256 + lane], 1);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    switch ((unsigned)b[s[31 - lid] & 31] % 4u) {
    case 0:
        atomic_sub(&out[256 + lane], 1);
        break;
    case 1:
        atomic_xor(&out[288 + lane], 1);
        break;
    case 2:
        atomic_or(&out[320 + lane], 1);
        break;
    case 3:
        atomic_and(&out[352 + lane], 1);
    }
}
