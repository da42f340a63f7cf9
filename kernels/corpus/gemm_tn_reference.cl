#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void dot_columns(global const float *A, global const float *B, global float *C,
                        int m, int n, int k, float2 ab)
{
    size_t j = get_global_id(0), i = get_global_id(1);
    double s = 0;
    for (int p = k - 1; p >= 0; p--)
        s += (double)A[p * m + i] * B[p * n + j];
    C[i * n + j] = (float)(ab.x * s + (double)ab.y * C[i * n + j]);
}
