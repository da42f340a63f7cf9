/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void two_exchanges(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0);
    volatile __global int *sum = out + a[i];
    int left = b[i] + 1;
    do
        left = atomic_xchg(sum, atomic_xchg(sum, 0) + left);
    while (left != 0);
}
