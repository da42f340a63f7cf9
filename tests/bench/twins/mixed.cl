/* mixed.cu in OpenCL C, where bins are in global memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void histogram(__global const uint *in, __global uint *bins, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[in[i] % BINS]);
}

__kernel void axpy(double a, __global const double *x, __global double *y, int n)
{
    const int i = get_global_id(0);

    if (i < n)
        y[i] = a * x[i] + sqrt(fabs(x[i]));
}

__kernel void tick(__global uint *counter)
{
    if (get_local_id(0) == 0)
        counter[0] += 1;
}
