/* C = A B for n x n matrices. Each work-item computes a block of 4 x 4 elements, and all accesses
 * are float4. A work-group stages its rows of A in local memory, GROUP * 4 columns at a time. B is
 * read from global memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define ROW(sum, a)                                                                                \
    sum += (a).x * b0;                                                                             \
    sum += (a).y * b1;                                                                             \
    sum += (a).z * b2;                                                                             \
    sum += (a).w * b3

/* width: number of float4 in a row, n / 4 */
__kernel __attribute__((reqd_work_group_size(GROUP, GROUP, 1))) void
matmul_float4(__global const float4 *restrict a, __global const float4 *restrict b,
              __global float4 *restrict c, int width)
{
    __local float4 a_tile[4 * GROUP][GROUP];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int column = get_global_id(0);
    const int row = 4 * get_global_id(1);
    float4 sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;

    for (int first = 0; first < width; first += GROUP) {
        for (int i = 0; i < 4; i++)
            a_tile[4 * y + i][x] = a[(row + i) * width + first + x];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < GROUP; k++) {
            const int b_row = 4 * (first + k);
            const float4 b0 = b[(b_row + 0) * width + column];
            const float4 b1 = b[(b_row + 1) * width + column];
            const float4 b2 = b[(b_row + 2) * width + column];
            const float4 b3 = b[(b_row + 3) * width + column];
            ROW(sum0, a_tile[4 * y + 0][k]);
            ROW(sum1, a_tile[4 * y + 1][k]);
            ROW(sum2, a_tile[4 * y + 2][k]);
            ROW(sum3, a_tile[4 * y + 3][k]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[(row + 0) * width + column] = sum0;
    c[(row + 1) * width + column] = sum1;
    c[(row + 2) * width + column] = sum2;
    c[(row + 3) * width + column] = sum3;
}
