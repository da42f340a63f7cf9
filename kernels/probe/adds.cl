/* Measures the clock of a CPU: a chain of alternating integer additions and exclusive ors, each of
 * which needs the result before. A CPU core executes one of them per cycle, at any clock.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

/* steps: number of additions and number of exclusive ors; a multiple of 64 */
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
