/* Products of a matrix and a transposed one, in several types. Both have rows along k, so that the fragments of
 * mma.sync are words of 32 bits in shared memory, in the same places for all types.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "async_copy.cuh"

#include <cuda_bf16.h>

#define TILE 128
#define WORDS 16
#define STRIDE (WORDS + 4)

static __device__ __forceinline__ void mma(float (&d)[4], const unsigned (&a)[4], const unsigned *b, float)
{
    mma_tf32(d, a, b[0], b[1]);
}
static __device__ __forceinline__ void mma(int (&d)[4], const unsigned (&a)[4], const unsigned *b, signed char)
{
    mma_int8(d, a, b[0], b[1]);
}
static __device__ __forceinline__ void mma(float (&d)[4], const unsigned (&a)[4], const unsigned *b, __nv_bfloat16)
{
    mma_bf16(d, a, b[0], b[1]);
}

/* words: number of words of 32 bits in a row. 256 threads, whose warps have 32 x 64 elements of c each. */
template <class T, class SUM>
static __device__ void multiply_rows(const unsigned *a, const unsigned *b, SUM *c, int n, int words)
{
    __shared__ __align__(16) unsigned left[2][TILE * STRIDE], right[2][TILE * STRIDE];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 64;
    const int g = lane / 4, t = lane % 4;
    SUM sums[2][8][4] = {};
    auto fetch = [&](int first, int stage) {
        for (int i = threadIdx.x; i < TILE * WORDS / 4; i += 256) {
            int r = i / (WORDS / 4), w = i % (WORDS / 4) * 4;
            copy16(&left[stage][r * STRIDE + w], &a[(size_t)(blockIdx.y * TILE + r) * words + first + w]);
            copy16(&right[stage][r * STRIDE + w], &b[(size_t)(blockIdx.x * TILE + r) * words + first + w]);
        }
        end_group();
    };
    fetch(0, 0);
    for (int first = 0, stage = 0; first < words; first += WORDS, stage ^= 1) {
        wait_groups<0>();
        __syncthreads();
        if (first + WORDS < words)
            fetch(first + WORDS, stage ^ 1);
#pragma unroll
        for (int l = 0; l < WORDS; l += 8) {
            unsigned x[2][4], y[8][2];
            for (int i = 0; i < 2; i++)
                for (int e = 0; e < 4; e++)
                    x[i][e] = left[stage][(row + 16 * i + g + e % 2 * 8) * STRIDE + l + t + e / 2 * 4];
            for (int j = 0; j < 8; j++)
                for (int e = 0; e < 2; e++)
                    y[j][e] = right[stage][(column + 8 * j + g) * STRIDE + l + t + e * 4];
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 8; j++)
                    mma(sums[i][j], x[i], y[j], T());
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 8; j++)
            for (int e = 0; e < 4; e++)
                c[(size_t)(blockIdx.y * TILE + row + 16 * i + g + e / 2 * 8) * n + blockIdx.x * TILE + column + 8 * j +
                  2 * t + e % 2] = sums[i][j][e];
}

extern "C" __global__ void __launch_bounds__(256) rows_tf32(const unsigned *a, const unsigned *b, float *c, int n, int k)
{
    multiply_rows<float>(a, b, c, n, k);
}

extern "C" __global__ void __launch_bounds__(256) rows_int8(const unsigned *a, const unsigned *b, int *c, int n, int k)
{
    multiply_rows<signed char>(a, b, c, n, k / 4);
}
