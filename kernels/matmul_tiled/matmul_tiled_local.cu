/* kernels/matmul_tiled/matmul_tiled_local.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void __launch_bounds__(TILE *TILE)
    matmul_tiled(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                 int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int column = blockIdx.x * TILE + x;
    const int row = blockIdx.y * TILE + y;
    float sum = 0.0f;

    for (int first = 0; first < n; first += TILE) {
        a_tile[y][x] = a[row * n + first + x];
        b_tile[y][x] = b[(first + y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
