/* Product of double-precision matrices by tensor cores: a warp has 16 x 32 elements, a block 32 x 64.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void __launch_bounds__(128) wmma_double(const double *a, const double *b, double *c, int n, int k)
{
    __shared__ __align__(32) double left[32][18], right[16][66];
    const int warp = threadIdx.x / 32, row = warp / 2 * 16, column = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sums[2][4];
    for (int i = 0; i < 8; i++)
        wmma::fill_fragment(sums[i / 4][i % 4], 0.0);
    for (int first = 0; first < k; first += 16) {
        for (int i = threadIdx.x; i < 256; i += 128)
            *(double2 *)&left[i / 8][i % 8 * 2] =
                *(const double2 *)&a[(size_t)(blockIdx.y * 32 + i / 8) * k + first + i % 8 * 2];
        for (int i = threadIdx.x; i < 512; i += 128)
            *(double2 *)&right[i / 32][i % 32 * 2] =
                *(const double2 *)&b[(size_t)(first + i / 32) * n + blockIdx.x * 64 + i % 32 * 2];
        __syncthreads();
        for (int l = 0; l < 16; l += 4) {
            wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> x[2];
            wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> y[4];
            for (int i = 0; i < 2; i++)
                wmma::load_matrix_sync(x[i], &left[row + 8 * i][l], 18);
            for (int j = 0; j < 4; j++)
                wmma::load_matrix_sync(y[j], &right[l][column + 8 * j], 66);
            for (int i = 0; i < 8; i++)
                wmma::mma_sync(sums[i / 4][i % 4], x[i / 4], y[i % 4], sums[i / 4][i % 4]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        wmma::store_matrix_sync(c + (size_t)(blockIdx.y * 32 + row + i / 4 * 8) * n + blockIdx.x * 64 + column +
                                    i % 4 * 8,
                                sums[i / 4][i % 4], n, wmma::mem_row_major);
}
