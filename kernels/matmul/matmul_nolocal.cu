/* kernels/matmul/matmul_nolocal.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void __launch_bounds__(TILE *TILE)
    matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;

    if (row >= n || column >= n)
        return;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
