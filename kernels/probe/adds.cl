/* A chain of integer additions and exclusive ors in turns, each of which needs the one before. A
 * CPU's core does one a cycle, whatever clock it runs at.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

/* steps: a multiple of 64; each is an addition and an exclusive or. */
__kernel void adds(__global uint *value, int steps)
{
    const uint a = value[1], b = value[2];
    uint x = value[0];

    for (int i = 0; i < steps; i += 64) {
#pragma unroll
        for (int k = 0; k < 64; k++)
            x = (x + a) ^ b;
    }
    value[3] = x;
}
