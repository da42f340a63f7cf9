/* C = A B for n x n matrices. Each work-item computes one element in a plain loop and reads global
 * memory directly. The launch is rounded up to whole work-groups, so that n may be any number.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1))) void
matmul(__global const float *restrict a, __global const float *restrict b,
       __global float *restrict c, int n)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    float sum = 0.0f;

    if (row >= n || column >= n)
        return;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
