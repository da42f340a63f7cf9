/* Measures the rate at which a compute unit starts instructions of two kinds that use different
 * pipes: fp32 multiply-adds and logic, alternately. An instruction reads at most two registers,
 * because with more the register ports might limit the rate. The third value is an argument.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define FMA(x) x = fma(x, a, x)
#define LOGIC(x, y) x = (x & y) ^ c

/* steps: rounds of 64 operations. seed and bits have 16 elements. out is never written. */
__kernel void mixture(__global const float *seed, __global const uint *bits, __global float *out,
                      float a, uint c, int steps)
{
    const float never = seed[10];
    float x0 = seed[0] + (float)get_local_id(0), x1 = seed[1] + x0, x2 = seed[2] + x1;
    float x3 = seed[3] + x2;
    uint y0 = bits[0] + (uint)get_local_id(0), y1 = bits[1] + y0, y2 = bits[2] + y1;
    uint y3 = bits[3] + y2;

    for (int i = 0; i < steps; i++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            FMA(x0);
            LOGIC(y0, y1);
            FMA(x1);
            LOGIC(y1, y2);
            FMA(x2);
            LOGIC(y2, y3);
            FMA(x3);
            LOGIC(y3, y0);
        }
    }
    x0 += x1 + x2 + x3 + (float)(y0 ^ y1 ^ y2 ^ y3);
    if (x0 == never)
        out[get_global_id(0)] = x0;
}
