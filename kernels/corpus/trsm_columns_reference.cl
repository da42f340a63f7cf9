#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Eliminates by columns of L, on a private copy of the right-hand side in double. */
__kernel void eliminate(__global const float *L, __global const float *rdiag, __global float *B, int rhs)
{
    int col = get_global_id(0);
    double x[N];
    for (int i = 0; i < N; i++)
        x[i] = B[i * rhs + col];
    for (int j = 0; j < N; j++) {
        x[j] *= rdiag[j];
        for (int i = j + 1; i < N; i++)
            x[i] -= x[j] * L[i * N + j];
    }
    for (int i = 0; i < N; i++)
        B[i * rhs + col] = (float)x[i];
}
