/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void warps_of_groups_in_three_dimensions(__global const int *a, __global const int *b,
                                                  __global int *out)
{
    const int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2), gx = get_global_id(0),
              gy = get_global_id(1), gz = get_global_id(2),
              g = get_group_id(0) +
                  get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
    out[0] = a[I] + z + gz;
}
