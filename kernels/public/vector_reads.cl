/* Sums of 16 vectors for each work-item. A work-group's vectors are adjacent: each of the 16 reads of a work-group is of
 * as many adjacent vectors as it has work-items.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define READS 16

kernel void read_float(global const float *data, global float *sums)
{
    uint at = get_group_id(0) * get_local_size(0) * READS + get_local_id(0);
    float sum = 0.0f;

#pragma unroll
    for (int r = 0; r < READS; r++)
        sum += data[at + r * get_local_size(0)];
    sums[get_global_id(0)] = sum;
}

kernel void read_float2(global const float2 *data, global float *sums)
{
    uint at = get_group_id(0) * get_local_size(0) * READS + get_local_id(0);
    float2 sum = 0.0f;

#pragma unroll
    for (int r = 0; r < READS; r++)
        sum += data[at + r * get_local_size(0)];
    sums[get_global_id(0)] = sum.x + sum.y;
}

kernel void read_float4(global const float4 *data, global float *sums)
{
    uint at = get_group_id(0) * get_local_size(0) * READS + get_local_id(0);
    float4 sum = 0.0f;

#pragma unroll
    for (int r = 0; r < READS; r++)
        sum += data[at + r * get_local_size(0)];
    sums[get_global_id(0)] = sum.x + sum.y + sum.z + sum.w;
}
