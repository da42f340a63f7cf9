/* One exchange of the Gauss-Jordan inverse of an n x n matrix, as kernels/inverse has it, launched as
 * Kamiya et al. (2013) launch their programs: a grid and work-groups of one dimension, a work-item
 * for each column, and one loop, here over the rows. All work-items need column k, whose elements are
 * n apart (section 5.4.2). n is a multiple of GROUP.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
inverse_columns(__global const float *in, __global float *out, int n, int k)
{
    const int id = get_global_id(0);
    const float pivot = (id == k ? 1.0f : in[k * n + id]) / in[k * n + k];

    for (int i = 0; i < n; i++) {
        const float old = id == k ? 0.0f : in[i * n + id];
        const float other = old - in[i * n + k] * pivot;
        out[i * n + id] = i == k ? pivot : other;
    }
}
