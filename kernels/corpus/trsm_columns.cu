/* kernels/corpus/trsm_columns.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* L: row-major, strictly lower part used, with 1 / diagonal in rdiag. B: row-major, N x rhs. */
__global__ void trsm(const float *L, const float *rdiag, float *B, int rhs)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < N; i++) {
        float acc = B[i * rhs + col];
        for (int j = 0; j < i; j++)
            acc -= L[i * N + j] * B[j * rhs + col];
        B[i * rhs + col] = acc * rdiag[i];
    }
}

#define NB 32
