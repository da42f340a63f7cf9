/* Product of half-precision activations and weights of bytes: the bytes are copied to shared memory asynchronously, and
 * become halves in registers before mma.sync. 64 x 64 elements a block.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "async_copy.cuh"

#include <cuda_fp16.h>

#define K 64

static __device__ unsigned two_halves(const signed char *bytes)
{
    __half2 pair = __halves2half2(__int2half_rn(bytes[0]), __int2half_rn(bytes[1]));
    return *(unsigned *)&pair;
}

/* weight has a row of k bytes for each of n outputs. */
extern "C" __global__ void __launch_bounds__(128)
    weights_int8(const __half *x, const signed char *weight, const float *scales, __half *out, int n, int k)
{
    __shared__ __align__(16) __half left[2][64][K + 8];
    __shared__ __align__(16) signed char right[2][64][K + 16];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 32;
    float sums[2][4][4] = {};
    auto fetch = [&](int step) {
        for (int i = threadIdx.x; i < 64 * K / 8; i += 128)
            copy16(&left[step % 2][i / 8][i % 8 * 8], &x[(size_t)(blockIdx.y * 64 + i / 8) * k + step * K + i % 8 * 8]);
        for (int i = threadIdx.x; i < 64 * K / 16; i += 128)
            copy16(&right[step % 2][i / 4][i % 4 * 16],
                   &weight[(size_t)(blockIdx.x * 64 + i / 4) * k + step * K + i % 4 * 16]);
        end_group();
    };
    fetch(0);
    for (int step = 0; step < k / K; step++) {
        wait_groups<0>();
        __syncthreads();
        if (step + 1 < k / K)
            fetch(step + 1);
#pragma unroll
        for (int l = 0; l < K; l += 16) {
            unsigned a[2][4];
            for (int i = 0; i < 2; i++)
                load_matrices(a[i], &left[step % 2][row + 16 * i + lane % 16][l + lane / 16 * 8]);
            for (int j = 0; j < 4; j++) {
                const signed char *from = &right[step % 2][column + 8 * j + lane / 4][l + lane % 4 * 2];
                const unsigned b0 = two_halves(from), b1 = two_halves(from + 8);
                mma_f16(sums[0][j], a[0], b0, b1);
                mma_f16(sums[1][j], a[1], b0, b1);
            }
        }
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            for (int r = 0; r < 2; r++) {
                int to = blockIdx.x * 64 + column + 8 * j + lane % 4 * 2;
                *(__half2 *)&out[(size_t)(blockIdx.y * 64 + row + 16 * i + lane / 4 + 8 * r) * n + to] =
                    __floats2half2_rn(sums[i][j][2 * r] * scales[to], sums[i][j][2 * r + 1] * scales[to + 1]);
            }
}
