/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void early_return(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    if (i >= N)
        return;
    out[i] = a[i];
}
