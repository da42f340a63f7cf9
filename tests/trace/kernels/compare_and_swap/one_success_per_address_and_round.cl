/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void one_success_per_address_and_round(__global const int *a, __global const int *b,
                                                __global int *out)
{
    const int i = get_global_id(0);
    volatile __global int *sum = out + a[i];
    int old;
    do
        old = *sum;
    while (atomic_cmpxchg(sum, old, old + 1) != old);
}
