/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void tagged_histogram(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local volatile uint bins[64];
    const uint tag = (uint)lid << 27, at = a[i];
    uint count;
    bins[lid] = bins[lid + 32] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    do {
        count = tag | ((bins[at] & 0x07ffffff) + 1);
        bins[at] = count;
    } while (bins[at] != count);
}
