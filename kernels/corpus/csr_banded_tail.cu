/* kernels/corpus/csr_banded_tail.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void spmv_csr_scalar(const int *ptr, const int *col, const float *val, const float *x,
                                float *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float dot = 0;
        int end = ptr[row + 1];
        for (int k = ptr[row]; k < end; k++)
            dot += val[k] * x[col[k]];
        y[row] = dot;
    }
}

#define WIDTH 32
