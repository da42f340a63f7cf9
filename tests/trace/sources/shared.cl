/* Shared memory: arguments, arrays and structs, and barriers in loops and in helper functions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

typedef struct {
    uint first;
    ushort pair[2];
    float4 wide;
} record;

kernel void arguments(global const uint *in, global uint *out, local uint *a, local float *b,
                      local uchar *c)
{
    size_t l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);

    a[l] = input(in, g);
    b[n - 1 - l] = (float)(input(in, g + 1) >> 8);
    c[l] = (uchar)input(in, g + 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a[(l + 1) % n] + (uint)b[l] + c[(l * 7) % n];
}

kernel __attribute__((reqd_work_group_size(48, 1, 1))) void arrays(global const uint *in,
                                                                   global uint *out)
{
    local record records[48];
    local uint table[48][3];
    local long sum;
    size_t l = get_local_id(0), g = get_global_id(0), next = (l + 13) % 48;

    if (l == 0)
        sum = -5;
    records[l].first = input(in, g);
    records[l].pair[0] = (ushort)g;
    records[l].pair[1] = (ushort)input(in, g + 5);
    records[l].wide = (float4)(1, 2, 3, 4) * (float)l;
    for (int i = 0; i < 3; i++)
        table[l][i] = input(in, g * 3 + i);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g * 4] = records[next].first ^ records[next].pair[l & 1];
    out[g * 4 + 1] = (uint)records[next].wide.z;
    out[g * 4 + 2] = table[next][l % 3];
    out[g * 4 + 3] = (uint)sum;
}

uint sum_of_group(uint value, local uint *scratch)
{
    size_t l = get_local_id(0), n = get_local_size(0);

    scratch[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = 1; step < n; step *= 2) {
        uint other = l + step < n ? scratch[l + step] : 0;

        barrier(CLK_LOCAL_MEM_FENCE);
        scratch[l] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return scratch[0];
}

kernel void reduction(global const uint *in, global uint *out, local uint *scratch)
{
    size_t l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    uint total = 0;

    /* The number of rounds depends on the group's number, so it is the same for all work-items at a
     * barrier. */
    for (size_t round = 0; round <= get_group_id(0) % 4; round++) {
        total += sum_of_group(input(in, g + round * 77), scratch) * (uint)(round + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (round == 2)
            break;
    }
    for (size_t step = n / 2; step > 0; step /= 2) {
        if (l < step)
            scratch[l] ^= scratch[l + step] + (uint)step;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = total + scratch[0] * 31;
}

kernel void transpose(global const uint *in, global uint *out, local uint *tile)
{
    size_t x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), h = get_local_size(1);
    size_t width = get_global_size(0), height = get_global_size(1);
    size_t gx = get_global_id(0), gy = get_global_id(1);

    tile[y * (w + 1) + x] = input(in, gy * width + gx);
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t flat = y * w + x, tx = flat / h, ty = flat % h;
    out[(get_group_id(0) * w + tx) * height + get_group_id(1) * h + ty] = tile[ty * (w + 1) + tx];
}
