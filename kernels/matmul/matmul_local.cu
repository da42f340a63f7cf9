/* kernels/matmul/matmul_local.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void __launch_bounds__(TILE *TILE)
    matmul(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0.0f;

    for (int first = 0; first < n; first += TILE) {
        a_tile[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0.0f;
        b_tile[y][x] = first + y < n && column < n ? b[(first + y) * n + column] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        /* The next tiles may replace these only after all threads have used them. */
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
