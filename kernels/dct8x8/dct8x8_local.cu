/* kernels/dct8x8/dct8x8_local.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void __launch_bounds__(GROUP_WIDTH * 8)
    dct8x8(const float *__restrict__ image, float *__restrict__ out, const float *__restrict__ c,
           int width)
{
    __shared__ float x_tile[8][GROUP_WIDTH];
    __shared__ float cx_tile[8][GROUP_WIDTH];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int block_x = x & ~7;
    const int v = x & 7;
    const int position =
        (blockIdx.y * blockDim.y + threadIdx.y) * width + blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    x_tile[y][x] = image[position];
    __syncthreads();
    for (int i = 0; i < 8; i++)
        sum += c[8 * y + i] * x_tile[i][x];
    cx_tile[y][x] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int i = 0; i < 8; i++)
        sum += cx_tile[y][block_x + i] * c[8 * v + i];
    out[position] = sum;
}
