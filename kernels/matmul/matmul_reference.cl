/* Checks the matrix products: computes c = a b for n x n floats in double, for one element in each
 * of `samples` equal ranges.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void matmul_reference(__global const float *a, __global const float *b, __global float *c,
                               int n, int samples)
{
    const uint id = get_global_id(0), range = (uint)n * (uint)n / (uint)samples;
    const uint position = id * range + id * 2654435761u % range;
    const uint row = position / n, column = position % n;
    double sum = 0;

    if (id >= samples)
        return;
    for (int k = 0; k < n; k++)
        sum += (double)a[row * n + k] * b[k * n + column];
    c[position] = (float)sum;
}
