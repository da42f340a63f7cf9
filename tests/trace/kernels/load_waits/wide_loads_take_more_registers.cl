/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void wide_loads_take_more_registers(__global const int *a, __global const int *b,
                                             __global int *out)
{
    const int i = get_global_id(0);
    __global const int4 *four = (__global const int4 *)a;
    int4 sum = 0;

#pragma unroll
    for (int j = 0; j < LOADS; j++)
        sum += four[i + 256 * j];
    vstore4(sum, i, out);
}
