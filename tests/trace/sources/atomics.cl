/* 32-bit atomics on global and shared memory. What is written does not depend on their order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

/* out: 32 words of results, then a word for each work-item. */
kernel void on_global(global const uint *in, volatile global uint *out)
{
    size_t g = get_global_id(0);
    uint r = input(in, g);
    volatile global int *signed_out = (volatile global int *)out;
    uint seen, old;

    atomic_add(&out[0], r);
    atomic_sub(&out[1], r / 3);
    out[32 + atomic_inc(&out[2])] = 1;
    atomic_dec(&out[3]);
    atomic_min(&signed_out[4], (int)r);
    atomic_max(&signed_out[5], (int)r);
    atomic_max(&out[6], r);
    atomic_min(&out[7], ~r);
    atomic_or(&out[8], 1u << r % 32);
    atomic_and(&out[9], ~(1u << r % 32));
    atomic_xor(&out[10], r);
    atomic_add(&out[12], atomic_xchg(&out[11], 5));
    do {
        seen = out[13];
        old = atomic_cmpxchg(&out[13], seen, seen + r * 5);
    } while (old != seen);
    atomic_add(&signed_out[14], -(int)(r % 1000));
    atom_add(&out[15], r % 7);
    if (r % 3 == 0)
        atomic_inc(&out[16 + r % 8]);
    if (atomic_cmpxchg(&out[24], 0, 7) == 0)
        atomic_inc(&out[25]);
    float f = (float)(r % 100);
    if (f > 99.5f)
        atomic_xchg((volatile global float *)&out[26], f);
}

/* One word of out for each of the group's 16 results. */
kernel void on_shared(global const uint *in, global uint *out, local uint *bins)
{
    local uint total, ticket;
    local int lowest, highest;
    size_t l = get_local_id(0), g = get_global_id(0);
    uint r = input(in, g), seen, old;

    if (l < 16)
        bins[l] = 0;
    if (l == 0) {
        total = ticket = 0;
        lowest = INT_MAX;
        highest = INT_MIN;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[r % 11]);
    atomic_add(&total, r);
    atomic_min(&lowest, (int)r);
    atomic_max(&highest, (int)r);
    atomic_xor(&bins[11], r);
    atomic_or(&bins[12], r & 0xf0f0);
    atomic_sub(&bins[13], r % 9);
    atomic_max(&bins[14], r);
    atomic_add(&bins[15], atomic_inc(&ticket));
    do {
        seen = *(volatile local uint *)&bins[10];
        old = atomic_cmpxchg(&bins[10], seen, seen + 100);
    } while (old != seen);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        out[get_group_id(0) * 20 + l] = bins[l];
    if (l == 0) {
        out[get_group_id(0) * 20 + 16] = total;
        out[get_group_id(0) * 20 + 17] = (uint)lowest;
        out[get_group_id(0) * 20 + 18] = (uint)highest;
        out[get_group_id(0) * 20 + 19] = ticket;
    }
}
