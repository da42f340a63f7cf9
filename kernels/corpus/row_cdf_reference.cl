#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// Computes from the end of a row: the total minus the weights to the right.
kernel void cdf_halves(global const float *weights, global float *cdf, global float *total, int rows, int cols)
{
    int r = get_global_id(0);
    double all = 0, right = 0;
    for (int c = 0; c < cols; c++)
        all += weights[r * cols + c];
    for (int c = cols - 1; c >= 0; c--) {
        cdf[r * cols + c] = (float)((all - right) / all);
        right += weights[r * cols + c];
    }
    total[r] = (float)all;
}
