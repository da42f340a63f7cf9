/* kernels/corpus/jacobi_csr.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One Jacobi iteration: x_new = D^-1 (b - R x), with R in CSR format without the diagonal. Stores
 * the largest change of a row for the host. */
__global__ void jacobi_sweep(const int rows, const int *row_ptr, const int *col_idx,
                             const float *values, const float *diagonal, const float *rhs,
                             const float *x_old, float *x_new, float *change)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;

    float acc = rhs[row];
    const int end = row_ptr[row + 1];
    for (int j = row_ptr[row]; j < end; ++j)
        acc -= values[j] * x_old[col_idx[j]];

    const float fresh = acc / diagonal[row];
    change[row] = fabsf(fresh - x_old[row]);
    x_new[row] = fresh;
}
