/* First computes the residual of the whole matrix in double, from the last entry of a row to the
 * first, then the correction. */
__kernel void sweep_by_residual(int rows, __global const int *row_ptr, __global const int *col_idx,
                                __global const float *values, __global const float *diagonal, __global const float *rhs,
                                __global const float *x, __global float *to, __global float *change)
{
    int r = get_global_id(0);
    double product = (double)diagonal[r] * x[r];
    for (int k = row_ptr[r + 1] - 1; k >= row_ptr[r]; k--) product += (double)values[k] * x[col_idx[k]];
    double step = (rhs[r] - product) / diagonal[r];
    to[r] = (float)(x[r] + step);
    change[r] = (float)(step < 0 ? -step : step);
}
