/* Checks the Haar kernels: computes the Haar wavelet decomposition in double, level by level. Each
 * work-item handles a pair of values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define ROOT_OF_HALF 0.70710678118654752

__kernel void haar_first(__global const float *signal, __global float *out,
                         __global double *averages)
{
    const size_t k = get_global_id(0), half_length = get_global_size(0);
    const double even = signal[2 * k], odd = signal[2 * k + 1];

    out[half_length + k] = (float)((even - odd) * ROOT_OF_HALF);
    averages[k] = (even + odd) * ROOT_OF_HALF;
}

__kernel void haar_level(__global const double *in, __global float *out, __global double *averages,
                         int length)
{
    const int k = get_global_id(0);
    const double even = in[2 * k], odd = in[2 * k + 1];
    const double average = (even + odd) * ROOT_OF_HALF;

    out[length / 2 + k] = (float)((even - odd) * ROOT_OF_HALF);
    averages[k] = average;
    if (length == 2)
        out[0] = (float)average;
}
