/* SPDX-License-Identifier: GPL-3.0-or-later */
__constant int table[64] = {11, 7, 5, 3, 2, 9, 8, 4, 6, 1, 13, 17, 19, 23, 29, 31,
                            12, 8, 6, 4, 3, 1, 9, 5, 7, 2, 14, 18, 20, 24, 30, 32,
                            13, 9, 7, 5, 4, 2, 1, 6, 8, 3, 15, 19, 21, 25, 31, 33,
                            14, 1, 8, 6, 5, 3, 2, 7, 9, 4, 16, 20, 22, 26, 32, 34};

__kernel void table_beside_what_is_given_is_passed(__global const int *a, __constant int *b,
                                                   __global int *out)
{
    const int i = get_global_id(0);
    out[i] = table[a[i] & 63];
}
