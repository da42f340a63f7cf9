#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes the factorisation row by row, each element once, with sums in double. */
__kernel void doolittle(__global float *a, int n)
{
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            double s = a[r * n + c];
            for (int k = 0; k < r && k < c; k++)
                s -= (double)a[r * n + k] * a[k * n + c];
            a[r * n + c] = c < r ? s / a[c * n + c] : s;
        }
}
