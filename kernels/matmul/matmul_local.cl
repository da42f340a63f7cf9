/* C = A B for n x n matrices. Each work-item computes one element. A work-group stages a TILE x
 * TILE tile of A and one of B in local memory, so that each element of A and B is read n / TILE
 * times from global memory. Tiles that reach over the edge are filled up with zeros, so that n may
 * be any number.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul(__global const float *restrict a, __global const float *restrict b,
       __global float *restrict c, int n)
{
    __local float a_tile[TILE][TILE];
    __local float b_tile[TILE][TILE];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    float sum = 0.0f;

    for (int first = 0; first < n; first += TILE) {
        a_tile[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0.0f;
        b_tile[y][x] = first + y < n && column < n ? b[(first + y) * n + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        /* The next tiles may replace these only after all work-items have used them. */
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
