/* Reads and writes an array of 64 MB repeatedly. Neighbouring work-items access neighbouring
 * numbers ("even"), or each work-item has its own stretch, 4 KB from that of the next one
 * ("apart"). A further kernel reads local memory, with a bank for each lane.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define SIZE (16 * 1024 * 1024)
#define AT_ONCE 16

kernel void read_even(global float *data, global float *out)
{
    int at = get_global_id(0);
    float sum = 0.0f;

    for (int round = 0; round < 1024; round++) {
        float part = 0.0f;

#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            part += data[(at + u * ITEMS) & (SIZE - 1)];
        sum += part;
        at = (at + AT_ONCE * ITEMS) & (SIZE - 1);
    }
    out[get_global_id(0)] = sum;
}

kernel void read_apart(global float *data, global float *out)
{
    int at = get_global_id(0) * 1024;
    float sum = 0.0f;

    for (int round = 0; round < 512; round++) {
        float part = 0.0f;

#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            part += data[(at + u) & (SIZE - 1)];
        sum += part;
        at = (at + AT_ONCE) & (SIZE - 1);
    }
    out[get_global_id(0)] = sum;
}

kernel void write_even(global float *data, global float *out)
{
    int id = get_global_id(0), at = id;

    for (int round = 0; round < 1024; round++) {
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            out[(at + u * ITEMS) & (SIZE - 1)] = id;
        at = (at + AT_ONCE * ITEMS) & (SIZE - 1);
    }
}

kernel void write_apart(global float *data, global float *out)
{
    int id = get_global_id(0), at = id * 1024;

    for (int round = 0; round < 512; round++) {
#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            out[(at + u) & (SIZE - 1)] = id;
        at = (at + AT_ONCE) & (SIZE - 1);
    }
}

kernel void read_local(global float *data, global float *out)
{
    local float cells[CELLS];
    int at = get_local_id(0), each = CELLS / get_local_size(0);
    float sum = 0.0f;

    for (int i = 0; i < each; i++)
        cells[at * each + i] = data[get_group_id(0) * get_local_size(0) + at * each + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < 3000; round++) {
        float part = 0.0f;

#pragma unroll
        for (int u = 0; u < AT_ONCE; u++)
            part += cells[(at + u) & (CELLS - 1)];
        sum += part;
        at = (at + AT_ONCE) & (CELLS - 1);
    }
    out[get_global_id(0)] = sum;
}
