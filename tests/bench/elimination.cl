/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void divide(__global float *a, int n, int k)
{
    const int row = k + 1 + get_global_id(0);

    if (row < n)
        a[row * n + k] /= a[k * n + k];
}

__kernel void update(__global float *a, int n, int k)
{
    const int column = k + 1 + get_global_id(0), row = k + 1 + get_global_id(1);

    if (column < n && row < n)
        a[row * n + column] -= a[row * n + k] * a[k * n + column];
}
