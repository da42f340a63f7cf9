/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void break_inside_divergent_branch(__global const int *a, __global const int *b,
                                            __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int k;

#pragma unroll 1
    for (k = 0; k < 32; k++) {
        const int v = a[k * 32 + lane];
        if (v & 1) {
            if (v > 100)
                break;
            atomic_add(&out[lane + 64], v);
        } else {
            atomic_sub(&out[lane + 64], v + 3);
        }
    }
    out[i] = k;
}
