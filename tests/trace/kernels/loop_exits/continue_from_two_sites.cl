/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void continue_from_two_sites(__global const int *a, __global const int *b,
                                      __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int k = 0, tries = 0;

#pragma unroll 1
    do {
        const int v = a[k * 32 + lane];
        k++;
        if (v & 1) {
            if (v > 100)
                break;
            atomic_add(&out[lane + 64], v);
            continue;
        }
        atomic_sub(&out[lane + 64], v + 3);
        tries++;
    } while (tries < 40);
    out[i] = k;
}
