/* Products of half-precision matrices by the C++ interface wmma.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

/* Each warp computes 16 x 16 elements straight from global memory. */
extern "C" __global__ void wmma_plain(const __half *a, const __half *b, float *c, int n, int k)
{
    int row = blockIdx.y * 32 + threadIdx.x / 64 * 16, column = blockIdx.x * 32 + threadIdx.x / 32 % 2 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int l = 0; l < k; l += 16) {
        wmma::load_matrix_sync(x, a + (size_t)row * k + l, k);
        wmma::load_matrix_sync(y, b + (size_t)l * n + column, n);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c + (size_t)row * n + column, sum, n, wmma::mem_row_major);
}

/* 64 x 64 elements in a block of four warps, with tiles in shared memory and loads by registers. */
extern "C" __global__ void __launch_bounds__(128) wmma_shared(const __half *a, const __half *b, float *c, int n, int k)
{
    __shared__ __align__(32) __half left[64][40], right[32][72];
    const int warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2][2];
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sums[i / 2][i % 2], 0.0f);
    for (int first = 0; first < k; first += 32) {
        for (int i = threadIdx.x; i < 256; i += 128) {
            *(int4 *)&left[i / 4][i % 4 * 8] =
                *(const int4 *)&a[(size_t)(blockIdx.y * 64 + i / 4) * k + first + i % 4 * 8];
            *(int4 *)&right[i / 8][i % 8 * 8] =
                *(const int4 *)&b[(size_t)(first + i / 8) * n + blockIdx.x * 64 + i % 8 * 8];
        }
        __syncthreads();
        for (int l = 0; l < 32; l += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> y[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(x[i], &left[row + 16 * i][l], 40);
                wmma::load_matrix_sync(y[i], &right[l][column + 16 * i], 72);
            }
            for (int i = 0; i < 4; i++)
                wmma::mma_sync(sums[i / 2][i % 2], x[i / 2], y[i % 2], sums[i / 2][i % 2]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        wmma::store_matrix_sync(c + (size_t)(blockIdx.y * 64 + row + i / 2 * 16) * n + blockIdx.x * 64 + column +
                                    i % 2 * 16,
                                sums[i / 2][i % 2], n, wmma::mem_row_major);
}

/* Scores of attention: a block computes 32 queries x 64 keys of a head, scales them and adds a bias by distance. */
extern "C" __global__ void __launch_bounds__(128)
    wmma_scores(const __half *q, const __half *keys, __half *out, int length, float scale, float slope)
{
    __shared__ float scores[32][68];
    const int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 32;
    const size_t head = (size_t)blockIdx.z * length;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2];
    wmma::fill_fragment(sums[0], 0.0f);
    wmma::fill_fragment(sums[1], 0.0f);
    for (int l = 0; l < 64; l += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> x;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> y;
        wmma::load_matrix_sync(x, q + (head + blockIdx.y * 32 + row) * 64 + l, 64);
        for (int i = 0; i < 2; i++) {
            wmma::load_matrix_sync(y, keys + (head + blockIdx.x * 64 + column + 16 * i) * 64 + l, 64);
            wmma::mma_sync(sums[i], x, y, sums[i]);
        }
    }
    wmma::store_matrix_sync(&scores[row][column], sums[0], 68, wmma::mem_row_major);
    wmma::store_matrix_sync(&scores[row][column + 16], sums[1], 68, wmma::mem_row_major);
    __syncthreads();
    for (int i = threadIdx.x; i < 32 * 32; i += 128) {
        int query = blockIdx.y * 32 + i / 32, key = blockIdx.x * 64 + i % 32 * 2;
        float first = scores[i / 32][i % 32 * 2] * scale - slope * abs(query - key);
        float second = scores[i / 32][i % 32 * 2 + 1] * scale - slope * abs(query - key - 1);
        *(__half2 *)&out[(head + query) * length + key] = __floats2half2_rn(first, second);
    }
}
