/* Measures loads from local memory: their latency, and how many a compute unit can start per cycle.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

enum { WORDS = 256 };

/* Measures latency: one work-item follows pointers in a ring. */
__kernel void local_chase(__global uint *state, int steps)
{
    __local uint ring[WORDS];
    uint at = *state;

    for (uint i = 0; i < WORDS; i++)
        ring[i] = (i + 1) % WORDS;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < steps; i++)
        at = ring[at];
    *state = at;
}

/* Measures the rate: each work-item follows four pointers, all of which point to themselves.
 * Neighbours read neighbouring elements, without bank conflicts. TYPE is uint or uint4. GROUP is a
 * power of two, at least 128. steps: rounds of 16 loads. zero has 5 elements. out is never
 * written. */
#ifdef WIDE
#define TYPE uint4
uint folded(uint4 v)
{
    return v.x ^ v.y ^ v.z ^ v.w;
}
#define NEXT(at) folded(ring[at])
#else
#define TYPE uint
#define NEXT(at) ring[at]
#endif

__kernel void local_loads(__global const uint *zero, __global uint *out, int steps)
{
    __local TYPE ring[GROUP];
    const uint me = get_local_id(0);
    uint a = me, b = me ^ 32, c = me ^ 64, d = me ^ 96;

#ifdef WIDE
    ring[me] = (uint4)(me, zero[0], zero[1], zero[2]);
#else
    ring[me] = me + zero[0];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < steps; i++) {
#pragma unroll
        for (int k = 0; k < 4; k++) {
            a = NEXT(a);
            b = NEXT(b);
            c = NEXT(c);
            d = NEXT(d);
        }
    }
    if (a + b + c + d == zero[4])
        out[get_global_id(0)] = a;
}
