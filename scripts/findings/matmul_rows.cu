/* scripts/findings/matmul_rows.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void __launch_bounds__(GROUP)
    matmul_rows(const int *a, const int *b, int *c, int n, int row)
{
    const int id = blockIdx.x * blockDim.x + threadIdx.x;

    c[row * n + id] = 0;
#pragma unroll 16
    for (int k = 0; k < n; k++)
        c[row * n + id] += a[row * n + k] * b[k * n + id];
}
