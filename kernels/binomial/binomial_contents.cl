/* Makes the options that the binomial kernels price, from random numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The probabilities are computed in double, because they are differences of nearly equal numbers.
 * The kernels and the reference read the same values, rounded to float.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef struct {
    float spot, strike;
    float step;     /* logarithm of the price's factor in a step up */
    /* probabilities of a step up and of a step down, times the discount factor of a step */
    float up, down;
} option;

__kernel void make_options(__global const float *uniform, __global option *options)
{
    const int i = get_global_id(0);
    const double rate = 0.03, volatility = 0.30;
    const double years = 0.25 + 1.75 * uniform[3 * i + 2];
    const double dt = years / STEPS, step = volatility * sqrt(dt);
    const double up = (exp(rate * dt) - exp(-step)) / (exp(step) - exp(-step));

    options[i].spot = 10.0f + 90.0f * uniform[3 * i];
    options[i].strike = 10.0f + 90.0f * uniform[3 * i + 1];
    options[i].step = step;
    options[i].up = exp(-rate * dt) * up;
    options[i].down = exp(-rate * dt) * (1.0 - up);
}
