/* kernels/matmul_tiled/matmul_tiled_nolocal.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void __launch_bounds__(TILE *TILE)
    matmul_tiled(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                 int n)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;

    for (int first = 0; first < n; first += TILE) {
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += a[row * n + first + k] * b[(first + k) * n + column];
    }
    c[row * n + column] = sum;
}
