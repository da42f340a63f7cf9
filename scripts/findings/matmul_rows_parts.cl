/* One row of C = A B in the form that Kamiya et al. (2013) give their generated code in figure 14: a
 * work-group copies its GROUP elements of the row of A to local memory, and adds their products
 * with as many rows of B to all columns. Written anew from that description, but for the copy, whose
 * index in the paper lies outside of the row. n is a multiple of GROUP.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * As in the paper, the groups of a launch add to the same elements without waiting for each other:
 * with more than one, results are not reliable. It is here for what it costs.
 */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
matmul_rows(__global const int *a, __global const int *b, __global int *c, int n, int row)
{
    __local int part[GROUP];
    const int lid = get_local_id(0);
    const int first = get_group_id(0) * GROUP;

    part[lid] = a[row * n + first + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    c[row * n + first + lid] = 0;
    for (int k = 0; k < GROUP; k++)
        for (int m = 0; m < n; m += GROUP)
            c[row * n + m + lid] += part[k] * b[(first + k) * n + m + lid];
}
