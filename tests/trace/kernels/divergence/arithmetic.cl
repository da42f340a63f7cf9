/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void arithmetic(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    float x = as_float(a[i]);
    x = fma(x, x, 1.5f);
    x = fma(x, x, 2.5f);
    x = fma(x, x, 3.5f);
    x = fma(x, x, 4.5f);
    x = fma(x, x, 5.5f);
    x = fma(x, x, 6.5f);
    x = fma(x, x, 7.5f);
    x = fma(x, x, 8.5f);
    out[i] = as_int(x);
}
