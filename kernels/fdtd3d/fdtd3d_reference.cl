/* Checks the finite difference kernels: computes the time steps in double. Each work-item computes
 * a column along z.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Defines the kernel NAME for a time step, from a volume of type FROM into one of type TO. */
#define STEP(NAME, FROM, TO)                                                                      \
    __kernel void NAME(__global const FROM *in, __global TO *out, int origin, int stride,         \
                       int plane, int depth, float w0, float w1, float w2, float w3, float w4)    \
    {                                                                                              \
        const double weights[] = {w0, w1, w2, w3, w4};                                            \
        int at = origin + (int)get_global_id(1) * stride + (int)get_global_id(0);                 \
                                                                                                   \
        for (int z = 0; z < depth; z++, at += plane) {                                            \
            double value = weights[0] * in[at];                                                   \
                                                                                                   \
            for (int r = 1; r <= 4; r++)                                                          \
                value += weights[r] * ((double)in[at - r] + in[at + r] + in[at - r * stride] +    \
                                       in[at + r * stride] + in[at - r * plane] +                 \
                                       in[at + r * plane]);                                       \
            out[at] = (TO)value;                                                                  \
        }                                                                                          \
    }

STEP(first_step, float, double)
STEP(middle_step, double, double)
STEP(last_step, double, float)
