/* C = A + B of square matrices; each work-item computes an element. Neighbouring work-items are
 * along rows, or along columns.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
kernel void sum_rows(global float *c, global float *a, global float *b, int width)
{
    int at = (int)get_global_id(1) * width + (int)get_global_id(0);

    if (at < width * width)
        c[at] = a[at] + b[at];
}

kernel void sum_columns(global float *c, global float *a, global float *b, int width)
{
    int at = (int)get_global_id(0) * width + (int)get_global_id(1);

    if (at < width * width)
        c[at] = a[at] + b[at];
}
