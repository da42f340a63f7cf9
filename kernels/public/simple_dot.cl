/* Dot product. Each work-item adds products that are a grid's size apart. Each work-group adds up
 * the sums of its work-items in a tree in local memory. The host adds up the groups' sums.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
kernel void dot_groups(global float *a, global float *b, global float *sums, int n)
{
    local float part[GROUP];
    int lane = get_local_id(0);
    float sum = 0.0f;

    for (int i = get_global_id(0); i < n; i += get_local_size(0) * get_num_groups(0))
        sum += a[i] * b[i];
    part[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half_of = get_local_size(0) / 2; half_of != 0; half_of /= 2) {
        if (lane < half_of)
            part[lane] += part[lane + half_of];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0)
        sums[get_group_id(0)] = part[0];
}
