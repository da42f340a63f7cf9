/* Sum of an array by 64 work-groups of 256 work-items. Each work-item adds pairs that are a
 * work-group's size apart to its sum in local memory, and the group adds up its sums in a tree.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
kernel void sum_groups(global const float *numbers, global float *sums, local float *part, uint n)
{
    uint lane = get_local_id(0), group = get_local_size(0);

    part[lane] = 0;
    for (uint i = get_group_id(0) * group * 2 + lane; i < n; i += group * 2 * get_num_groups(0))
        part[lane] += numbers[i] + numbers[i + group];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_of = group / 2; half_of > 0; half_of /= 2) {
        if (lane < half_of)
            part[lane] += part[lane + half_of];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0)
        sums[get_group_id(0)] = part[0];
}
