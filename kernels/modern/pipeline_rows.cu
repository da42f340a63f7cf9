/* Programs with the pipeline functions of CUDA's headers: a matrix-vector product, and a convolution of 5 x 5.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cuda_pipeline.h>

/* Matrix-vector product of floats: a warp for each row, with parts of 512 floats in four stages of shared memory. */
extern "C" __global__ void __launch_bounds__(128) matvec_pipeline(const float *a, const float *x, float *y, int columns)
{
    __shared__ __align__(16) float parts[4][4][512];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * 4 + warp;
    const float *from = a + (size_t)row * columns;
    float sum = 0;
    auto fetch = [&](int part) {
        if (part * 512 < columns)
            for (int i = lane * 4; i < 512; i += 128)
                __pipeline_memcpy_async(&parts[warp][part % 4][i], &from[part * 512 + i], 16);
        __pipeline_commit();
    };
    fetch(0);
    fetch(1);
    fetch(2);
    for (int part = 0; part * 512 < columns; part++) {
        fetch(part + 3);
        __pipeline_wait_prior(3);
        for (int i = lane * 4; i < 512; i += 128) {
            float4 v = *(const float4 *)&parts[warp][part % 4][i], w = *(const float4 *)&x[part * 512 + i];
            sum += v.x * w.x + v.y * w.y + v.z * w.z + v.w * w.w;
        }
        __syncwarp();
    }
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
        y[row] = sum;
}

/* Convolution of 5 x 5 of an image with a border of 4 columns and 2 rows. A block computes strips of 64 x 8 pixels below
 * each other; the rows of the next strip are copied while one is computed. */
extern "C" __global__ void __launch_bounds__(256)
    conv5_pipeline(const float *in, const float *weight, float *out, int width, int strips)
{
    __shared__ __align__(16) float rows[2][12][72];
    __shared__ float taps[25];
    const int x = threadIdx.x % 64, y = threadIdx.x / 64 * 2, stride = width + 8;
    const float *from = in + (size_t)blockIdx.y * strips * 8 * stride + blockIdx.x * 64;
    float *to = out + ((size_t)blockIdx.y * strips * 8) * width + blockIdx.x * 64;
    auto fetch = [&](int strip) {
        if (strip < strips && threadIdx.x < 216)
            __pipeline_memcpy_async(&rows[strip % 2][threadIdx.x / 18][threadIdx.x % 18 * 4],
                                    &from[(size_t)(strip * 8 + threadIdx.x / 18) * stride + threadIdx.x % 18 * 4], 16);
        __pipeline_commit();
    };
    if (threadIdx.x < 25)
        taps[threadIdx.x] = weight[threadIdx.x];
    fetch(0);
    for (int strip = 0; strip < strips; strip++) {
        fetch(strip + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int r = 0; r < 2; r++) {
            float sum = 0;
#pragma unroll
            for (int i = 0; i < 25; i++)
                sum += taps[i] * rows[strip % 2][y + r + i / 5][x + 2 + i % 5];
            to[(size_t)(strip * 8 + y + r) * width + x] = sum;
        }
        __syncthreads();
    }
}
