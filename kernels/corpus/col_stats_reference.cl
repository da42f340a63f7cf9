#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void two_pass(__global const float *table, __global float *mean, __global float *sigma, int rows, int cols)
{
    int col = get_global_id(0), n = 0;
    double mu = 0, var = 0;
    for (int r = 0; r < rows; r++)
        if (table[r * cols + col] >= 0) {
            mu += table[r * cols + col];
            n++;
        }
    mu /= n;
    for (int r = 0; r < rows; r++)
        if (table[r * cols + col] >= 0)
            var += (table[r * cols + col] - mu) * (table[r * cols + col] - mu) / n;
    mean[col] = (float)mu;
    sigma[col] = (float)sqrt(var);
}
