/* Lower triangle of the product of a bfloat16 matrix and its transpose by mma.sync, with tiles whose parts of 16 bytes
 * are exchanged within a row (swizzled), so that ldmatrix has no bank conflicts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "async_copy.cuh"

#include <cuda_bf16.h>

#define TILE 128
#define K 64

extern __shared__ __align__(128) __nv_bfloat16 tiles[];

static __device__ __nv_bfloat16 *element(int stage, int side, int row, int part)
{
    return tiles + ((stage * 2 + side) * TILE + row) * K + (part ^ row % 8) * 8;
}

extern "C" __global__ void __launch_bounds__(256) syrk_swizzled(const __nv_bfloat16 *a, float *c, int n, int k)
{
    if (blockIdx.x > blockIdx.y)
        return;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = warp / 4 * 64, column = warp % 4 * 32;
    float sums[4][4][4] = {};
    auto fetch = [&](int step) {
        if (step * K < k)
            for (int i = threadIdx.x; i < TILE * K / 8; i += 256) {
                const size_t from = (size_t)(i / 8) * k + step * K + i % 8 * 8;
                copy16(element(step % 3, 0, i / 8, i % 8), &a[(size_t)blockIdx.y * TILE * k + from]);
                copy16(element(step % 3, 1, i / 8, i % 8), &a[(size_t)blockIdx.x * TILE * k + from]);
            }
        end_group();
    };
    fetch(0);
    fetch(1);
    for (int step = 0; step * K < k; step++) {
        wait_groups<1>();
        __syncthreads();
        fetch(step + 2);
#pragma unroll
        for (int l = 0; l < K / 16; l++) {
            unsigned left[4][4], right[2][4];
            for (int i = 0; i < 4; i++)
                load_matrices(left[i], element(step % 3, 0, row + 16 * i + lane % 16, 2 * l + lane / 16));
            for (int j = 0; j < 2; j++)
                load_matrices(right[j], element(step % 3, 1, column + 16 * j + lane % 8 + lane / 16 * 8,
                                                2 * l + lane / 8 % 2));
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    mma_bf16(sums[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
        }
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int r = 0; r < 2; r++)
                *(float2 *)&c[(size_t)(blockIdx.y * TILE + row + 16 * i + lane / 4 + 8 * r) * n + blockIdx.x * TILE +
                              column + 8 * j + lane % 4 * 2] = make_float2(sums[i][j][2 * r], sums[i][j][2 * r + 1]);
}
