/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void private_memory_waits_likewise(__global const int *a, __global const int *b,
                                            __global int *out)
{
    const int i = get_global_id(0);
    int own[100];

#pragma unroll 1
    for (int j = 0; j < 100; j++)
        own[j] = i + j;
    out[i] = own[(i * 7) % 100] + own[(i * 3) % 100];
}
