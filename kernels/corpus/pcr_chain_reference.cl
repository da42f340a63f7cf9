#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Eliminates serially from the last row to the first, and then substitutes back. */
__kernel void thomas(__global const float *below, __global const float *diagonal, __global const float *above,
                     __global const float *right, __global double *sweep, __global float *x, int n)
{
    sweep[n - 1] = diagonal[n - 1];
    sweep[2 * n - 1] = right[n - 1];
    for (int i = n - 2; i >= 0; i--) {
        double w = above[i] / sweep[i + 1];
        sweep[i] = diagonal[i] - w * below[i + 1];
        sweep[n + i] = right[i] - w * sweep[n + i + 1];
    }
    double last = 0;
    for (int i = 0; i < n; i++) {
        last = (sweep[n + i] - (i ? below[i] * last : 0)) / sweep[i];
        x[i] = (float)last;
    }
}
