/* Streams of doubles: a work-item has one element of each array. The loops are a fill, a read whose result is stored
 * only if it has a value that it never has, a scaling, a triad of three arrays, and stencils of three and five points.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void fill(global double *a, global const double *b, global const double *c, global const double *d, ulong n)
{
    size_t i = get_global_id(0);

    if (i < n)
        a[i] = 0.23;
}

kernel void read(global double *a, global const double *b, global const double *c, global const double *d, ulong n)
{
    size_t i = get_global_id(0);

    if (i < n) {
        double value = b[i];

        if (value == 123.0)
            a[i] = value;
    }
}

kernel void scale(global double *a, global const double *b, global const double *c, global const double *d, ulong n)
{
    size_t i = get_global_id(0);

    if (i < n)
        a[i] = b[i] * 1.2;
}

kernel void triad(global double *a, global const double *b, global const double *c, global const double *d, ulong n)
{
    size_t i = get_global_id(0);

    if (i < n)
        a[i] = b[i] * d[i] + c[i];
}

kernel void three_points(global double *a, global const double *b, global const double *c, global const double *d,
                         ulong n)
{
    size_t i = get_global_id(0);

    if (i > 0 && i < n - 1)
        a[i] = 0.5 * b[i - 1] - 1.0 * b[i] + 0.5 * b[i + 1];
}

kernel void five_points(global double *a, global const double *b, global const double *c, global const double *d,
                        ulong n)
{
    size_t i = get_global_id(0);

    if (i > 1 && i < n - 2)
        a[i] = 0.25 * b[i - 2] + 0.25 * b[i - 1] - 1.0 * b[i] + 0.5 * b[i + 1] + 0.5 * b[i + 2];
}
