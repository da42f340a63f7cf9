/* One Jacobi iteration: x_new = D^-1 (b - R x), with R in CSR format without the diagonal. Stores
 * the largest change of a row for the host. */
__kernel void jacobi_sweep(const int rows,
                           __global const int   *row_ptr,
                           __global const int   *col_idx,
                           __global const float *values,
                           __global const float *diagonal,
                           __global const float *rhs,
                           __global const float *x_old,
                           __global float       *x_new,
                           __global float       *change)
{
    const int row = get_global_id(0);
    if (row >= rows)
        return;

    float acc = rhs[row];
    const int end = row_ptr[row + 1];
    for (int j = row_ptr[row]; j < end; ++j)
        acc -= values[j] * x_old[col_idx[j]];

    const float fresh = acc / diagonal[row];
    change[row] = fabs(fresh - x_old[row]);
    x_new[row]  = fresh;
}
