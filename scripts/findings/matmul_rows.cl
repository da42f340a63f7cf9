/* One row of C = A B for n x n matrices of integers, as Kamiya et al. (2013) have their matrix
 * product in figure 2: a launch for each row, a work-item for each column, and the sum is kept in
 * global memory. Written anew from that description. n is a multiple of GROUP.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
matmul_rows(__global const int *a, __global const int *b, __global int *c, int n, int row)
{
    const int id = get_global_id(0);

    c[row * n + id] = 0;
#pragma unroll 16
    for (int k = 0; k < n; k++)
        c[row * n + id] += a[row * n + k] * b[k * n + id];
}
