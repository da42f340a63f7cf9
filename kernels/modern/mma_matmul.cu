/* Products of half-precision matrices by mma.sync and ldmatrix, with asynchronous copies in several stages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "async_copy.cuh"

#include <cuda_fp16.h>

#define PAD 8 /* halves between rows of tiles, so that the rows of ldmatrix are in different banks */

extern __shared__ __align__(16) __half tiles[];

/* TM x TN elements of c in a block of ROWS x COLUMNS warps. first, last: the range of k. */
template <int TM, int TN, int TK, int ROWS, int COLUMNS, int STAGES> struct product {
    static const int MI = TM / ROWS / 16, NI = TN / COLUMNS / 8, THREADS = 32 * ROWS * COLUMNS;
    static const int A = TM * (TK + PAD), B = TK * (TN + PAD);
    float sums[MI][NI][4];

    static __device__ void fetch(const __half *a, const __half *b, int n, int k, int first, int stage)
    {
        __half *to_a = tiles + stage * (A + B), *to_b = to_a + A;
        for (int i = threadIdx.x; i < TM * TK / 8; i += THREADS)
            copy16(&to_a[i / (TK / 8) * (TK + PAD) + i % (TK / 8) * 8],
                   &a[(size_t)(blockIdx.y * TM + i / (TK / 8)) * k + first + i % (TK / 8) * 8]);
        for (int i = threadIdx.x; i < TK * TN / 8; i += THREADS)
            copy16(&to_b[i / (TN / 8) * (TN + PAD) + i % (TN / 8) * 8],
                   &b[(size_t)(first + i / (TN / 8)) * n + blockIdx.x * TN + i % (TN / 8) * 8]);
    }

    __device__ void multiply(int stage)
    {
        const __half *a = tiles + stage * (A + B), *b = a + A;
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const int row = warp / COLUMNS * (TM / ROWS), column = warp % COLUMNS * (TN / COLUMNS);
#pragma unroll
        for (int l = 0; l < TK; l += 16) {
            unsigned left[MI][4], right[NI / 2][4];
#pragma unroll
            for (int i = 0; i < MI; i++)
                load_matrices(left[i], &a[(row + 16 * i + lane % 16) * (TK + PAD) + l + lane / 16 * 8]);
#pragma unroll
            for (int j = 0; j < NI / 2; j++)
                load_transposed(right[j], &b[(l + lane % 16) * (TN + PAD) + column + 16 * j + lane / 16 * 8]);
#pragma unroll
            for (int i = 0; i < MI; i++)
#pragma unroll
                for (int j = 0; j < NI; j++)
                    mma_f16(sums[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
        }
    }

    __device__ void run(const __half *a, const __half *b, int n, int k, int first, int last)
    {
        for (int i = 0; i < MI; i++)
            for (int j = 0; j < NI; j++)
                for (int e = 0; e < 4; e++)
                    sums[i][j][e] = 0;
        for (int s = 0; s < STAGES - 1; s++) {
            if (first + s * TK < last)
                fetch(a, b, n, k, first + s * TK, s);
            end_group();
        }
        for (int step = 0; first + step * TK < last; step++) {
            int next = step + STAGES - 1;
            wait_groups<STAGES - 2>();
            __syncthreads();
            if (first + next * TK < last)
                fetch(a, b, n, k, first + next * TK, next % STAGES);
            end_group();
            multiply(step % STAGES);
        }
    }

    /* Calls put(row, column, two sums) for each pair of elements of c. */
    template <class F> __device__ void each(F put)
    {
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        const int row = blockIdx.y * TM + warp / COLUMNS * (TM / ROWS) + lane / 4;
        const int column = blockIdx.x * TN + warp % COLUMNS * (TN / COLUMNS) + lane % 4 * 2;
#pragma unroll
        for (int i = 0; i < MI; i++)
#pragma unroll
            for (int j = 0; j < NI; j++) {
                put(row + 16 * i, column + 8 * j, sums[i][j][0], sums[i][j][1]);
                put(row + 16 * i + 8, column + 8 * j, sums[i][j][2], sums[i][j][3]);
            }
    }
};

template <class P> static __device__ void whole(const __half *a, const __half *b, __half *c, int n, int k)
{
    P p;
    p.run(a, b, n, k, 0, k);
    p.each([=](int i, int j, float x, float y) { *(__half2 *)&c[(size_t)i * n + j] = __floats2half2_rn(x, y); });
}

extern "C" __global__ void __launch_bounds__(128) matmul_128x128(const __half *a, const __half *b, __half *c, int n, int k)
{
    whole<product<128, 128, 32, 2, 2, 3>>(a, b, c, n, k);
}

extern "C" __global__ void __launch_bounds__(128) matmul_64x64(const __half *a, const __half *b, __half *c, int n, int k)
{
    whole<product<64, 64, 32, 2, 2, 2>>(a, b, c, n, k);
}

extern "C" __global__ void __launch_bounds__(256) matmul_256x128(const __half *a, const __half *b, __half *c, int n, int k)
{
    whole<product<256, 128, 32, 4, 2, 4>>(a, b, c, n, k);
}

extern "C" __global__ void __launch_bounds__(128)
    matmul_batched(const __half *a, const __half *b, __half *c, int m, int n, int k)
{
    size_t batch = blockIdx.z;
    whole<product<64, 64, 64, 2, 2, 3>>(a + batch * m * k, b + batch * k * n, c + batch * m * n, n, k);
}

/* Each blockIdx.z multiplies a part of k, and adds its sums by atomics. */
extern "C" __global__ void __launch_bounds__(128)
    matmul_split(const __half *a, const __half *b, float *c, int n, int k, int part)
{
    product<64, 128, 32, 2, 2, 3> p;
    p.run(a, b, n, k, blockIdx.z * part, blockIdx.z * part + part);
    p.each([=](int i, int j, float x, float y) {
        atomicAdd(&c[(size_t)i * n + j], x);
        atomicAdd(&c[(size_t)i * n + j + 1], y);
    });
}
