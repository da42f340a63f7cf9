#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Solves A^T A x = A^T b by elimination. The misfit is computed from the residual. */
__kernel void normal_equations(__global const float *A, __global const float *b,
                               __global float4 *fit, __global float *misfit, uint systems)
{
    size_t id = get_global_id(0);
    if (id >= systems)
        return;
    A += id * 32;
    b += id * 8;
    double n[4][5];
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 5; c++) {
            n[r][c] = 0;
            for (int i = 0; i < 8; i++)
                n[r][c] += (double)A[4 * i + r] * (c < 4 ? A[4 * i + c] : b[i]);
        }
    for (int k = 0; k < 4; k++)
        for (int r = 0; r < 4; r++)
            if (r != k) {
                double f = n[r][k] / n[k][k];
                for (int c = k; c < 5; c++)
                    n[r][c] -= f * n[k][c];
            }
    double x[4], sum = 0;
    for (int k = 0; k < 4; k++)
        x[k] = n[k][4] / n[k][k];
    for (int i = 0; i < 8; i++) {
        double e = b[i];
        for (int k = 0; k < 4; k++)
            e -= A[4 * i + k] * x[k];
        sum += e * e;
    }
    fit[id] = (float4)(x[0], x[1], x[2], x[3]);
    misfit[id] = sum;
}
