/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void one_place(__constant int *a, __global const int *b, __global int *out)
{
    out[get_global_id(0)] = a[get_group_id(0)];
}

__kernel void places_of_work_items(__constant int *a, __global const int *b, __global int *out)
{
    out[get_global_id(0)] = a[get_global_id(0)];
}
