/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void copies_by_type(__global const TYPE *a, __global const TYPE *b, __global TYPE *out)
{
    out[get_global_id(0)] = a[get_global_id(0)];
}
