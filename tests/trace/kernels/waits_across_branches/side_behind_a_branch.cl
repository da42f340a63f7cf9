/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void side_behind_a_branch(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;
    int v = a[i];
    if (lane & 1) {
        atomic_add(out + 131072 + i, 1);
        v += b[i];
    }
    out[i] = v + b[i + 1024];
}
