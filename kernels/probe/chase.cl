/* Measures the latency of a load, including the computation of the next address from the loaded
 * value: follows pointers through a buffer. A launch continues where the launch before it stopped.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel void chase(__global const uint *next, __global uint *state, int steps)
{
    uint at = *state;

    for (int i = 0; i < steps; i++)
        at = next[at];
    *state = at;
}

/* Reads the whole buffer once, before `chase` follows pointers through it. vectors: number of
 * 16-byte vectors in the buffer. out is never written. */
__kernel void touch(__global const uint4 *in, __global uint *out, int vectors)
{
    uint4 sum = (uint4)(0);

    for (size_t i = get_global_id(0); i < (size_t)vectors; i += get_global_size(0))
        sum ^= in[i];
    if ((sum.x ^ sum.y ^ sum.z ^ sum.w) == 0xdeadbeef)
        out[get_global_id(0)] = sum.x;
}
