/* Checks the binomial kernels: computes the lattice in double, with a bound of the float result's
 * error, for one option in each of `samples` equal ranges.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unit roundoff is 2^-24. Each level of the lattice rounds a value at most twice, for the product
 * and the sum. All terms are positive, so nothing cancels: 2 STEPS roundings relative to the price.
 *
 * A leaf's exp is accurate to 3 ulp (6 roundings), and the rounding of its argument, up to 8, adds
 * 8 more. With the product and the difference, that is 16 roundings relative to the leaf's part of
 * the spot price.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define ULP (1.0 / (1 << 24))

typedef struct {
    float spot, strike;
    float step;     /* logarithm of the price's factor in a step up */
    /* probabilities of a step up and of a step down, times the discount factor of a step */
    float up, down;
} option;

__kernel void binomial_reference(__global const option *options, __global float *prices,
                                 __global float *errors, int n, int samples)
{
    const uint id = get_global_id(0), range = (uint)n / (uint)samples;
    const uint at = id * range + id * 2654435761u % range;
    double row[STEPS + 1];

    if (id >= samples)
        return;
    const double spot = options[at].spot, up = options[at].up, down = options[at].down;
    for (int node = 0; node <= STEPS; node++)
        row[node] = fmax(spot * exp((double)options[at].step * (2 * node - STEPS)) -
                         options[at].strike, 0.0);
    for (int level = STEPS; level > 0; level--)
        for (int node = 0; node < level; node++)
            row[node] = up * row[node + 1] + down * row[node];
    prices[at] = row[0];
    errors[at] = 2 * STEPS * ULP * row[0] + 16 * ULP * spot;
}
