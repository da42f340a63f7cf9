/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void side_that_a_load_decides(__global const int *a, __global const int *b,
                                       __global int *out)
{
    const int i = get_global_id(0);
    int v = 0;
    if (a[i] == 0)
        v = b[i];
    out[i] = v + b[i + 1024];
}
