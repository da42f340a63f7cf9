/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void conditional_operator_of_conditions(__global const int *a, __global const int *b,
                                                 __global int *out)
{
    const int lid = get_local_id(0), lane = lid & 31;
    const int v = a[lane];
    if ((v & 1) ? a[32 + lane] > 100 : a[64 + lane] > 100) {
        const int w = b[64 + lane];
        atomic_add(&out[256 + w + lane], v);
        out[512 + lane] = w;
    }
}
