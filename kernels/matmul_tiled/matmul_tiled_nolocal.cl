/* C = A B for n x n matrices. Each work-item computes one element and reads global memory directly.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul_tiled(__global const float *restrict a, __global const float *restrict b,
             __global float *restrict c, int n)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    float sum = 0.0f;

    for (int first = 0; first < n; first += TILE) {
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += a[row * n + first + k] * b[(first + k) * n + column];
    }
    c[row * n + column] = sum;
}
