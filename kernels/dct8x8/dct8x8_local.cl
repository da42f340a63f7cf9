/* Two-dimensional DCT of each 8 x 8 block of an image: Y = C X C^T. Each work-item computes one
 * element. A work-group handles four blocks side by side, so that a row of it is 32 consecutive
 * floats. X and C X are staged in local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel __attribute__((reqd_work_group_size(GROUP_WIDTH, 8, 1))) void
dct8x8(__global const float *restrict image, __global float *restrict out,
       __global const float *restrict c, int width)
{
    __local float x_tile[8][GROUP_WIDTH];
    __local float cx_tile[8][GROUP_WIDTH];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int block_x = x & ~7;
    const int v = x & 7;
    const int position = get_global_id(1) * width + get_global_id(0);
    float sum = 0.0f;

    x_tile[y][x] = image[position];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 8; i++)
        sum += c[8 * y + i] * x_tile[i][x];
    cx_tile[y][x] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = 0.0f;
    for (int i = 0; i < 8; i++)
        sum += cx_tile[y][block_x + i] * c[8 * v + i];
    out[position] = sum;
}
