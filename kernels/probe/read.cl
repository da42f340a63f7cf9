/* Measures bandwidth: all work-groups read a buffer. The result is the bandwidth of the memory or
 * cache that holds the buffer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

/* Each group starts `apart` vectors after the group before it, and reads on from there. The buffer
 * has mask + 1 vectors, a power of two, and reading wraps around at its end. steps: rounds of 8
 * vectors for each work-item. out is never written. */
__kernel void read(__global const uint4 *in, __global uint *out, uint mask, uint apart, int steps)
{
    const uint group = get_local_size(0);
    uint at = (uint)get_group_id(0) * apart + (uint)get_local_id(0);
    uint4 sum = (uint4)(0);

    for (int i = 0; i < steps; i++) {
#pragma unroll
        for (uint k = 0; k < 8; k++)
            sum ^= in[(at + k * group) & mask];
        at += 8 * group;
    }
    if ((sum.x ^ sum.y ^ sum.z ^ sum.w) == 0xdeadbeef)
        out[get_global_id(0)] = sum.x;
}
