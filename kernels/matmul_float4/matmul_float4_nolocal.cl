/* C = A B for n x n matrices. Each work-item computes a block of 4 x 4 elements, and all accesses
 * are float4 and go directly to global memory.
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
    const int column = get_global_id(0);
    const int row = 4 * get_global_id(1);
    float4 sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;

    for (int first = 0; first < width; first += GROUP) {
#pragma unroll
        for (int k = first; k < first + GROUP; k++) {
            const float4 b0 = b[(4 * k + 0) * width + column];
            const float4 b1 = b[(4 * k + 1) * width + column];
            const float4 b2 = b[(4 * k + 2) * width + column];
            const float4 b3 = b[(4 * k + 3) * width + column];
            const float4 a0 = a[(row + 0) * width + k];
            const float4 a1 = a[(row + 1) * width + k];
            const float4 a2 = a[(row + 2) * width + k];
            const float4 a3 = a[(row + 3) * width + k];
            ROW(sum0, a0);
            ROW(sum1, a1);
            ROW(sum2, a2);
            ROW(sum3, a3);
        }
    }
    c[(row + 0) * width + column] = sum0;
    c[(row + 1) * width + column] = sum1;
    c[(row + 2) * width + column] = sum2;
    c[(row + 3) * width + column] = sum3;
}
