#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes the product with a matrix of a grid that is 1024 wide, from the rule of the matrix's
 * values. */
__kernel void dia_mv(__global const double *data, __global const int *offset, int ndiag,
                     __global const double *x, __global double *y, int rows)
{
    const long r = get_global_id(0);
    double sum = 0;
    for (long up = 1; up >= -1; up--)
        for (long side = 1; side >= -1; side--) {
            const long c = r + 1024 * up + side, d = 3 * (up + 1) + side + 1;
            if (c >= 0 && c < rows)
                sum += ((r * 37 + d * 101) % 17 / 64.0 - 0.125) * x[c];
        }
    y[r] = sum;
}
