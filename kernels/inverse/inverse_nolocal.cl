/* One exchange of the Gauss-Jordan inverse of an n x n matrix: `out` is `in` after column k of A
 * and unknown k have changed places. n exchanges, for k = 0 to n - 1, make A its inverse. A
 * work-item computes ROWS elements of one column. All work-items of a group need the same ROWS
 * elements of column k, which each reads from global memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The launch is rounded up to whole work-groups, so that n may be any number.
 */
__kernel __attribute__((reqd_work_group_size(COLUMNS, 1, 1))) void
inverse(__global const float *restrict in, __global float *restrict out, int n, int k)
{
    const int column = get_global_id(0);
    const int first = get_global_id(1) * ROWS;
    const int end = min(first + ROWS, n);

    if (column >= n)
        return;
    /* the element of row k of `out` */
    const float pivot = (column == k ? 1.0f : in[k * n + column]) / in[k * n + k];
    for (int row = first; row < end; row++) {
        const float old = column == k ? 0.0f : in[row * n + column];
        const float other = old - in[row * n + k] * pivot;
        out[row * n + column] = row == k ? pivot : other;
    }
}
