/* Two-dimensional DCT of each 8 x 8 block of an image: Y = C X C^T. Each work-item computes one
 * element. X is read directly from global memory, and C X is stored in the output until the
 * work-group has used it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel __attribute__((reqd_work_group_size(GROUP_WIDTH, 8, 1))) void
dct8x8(__global const float *restrict image, __global float *out,
       __global const float *restrict c, int width)
{
    const int y = get_local_id(1);
    const int v = get_local_id(0) & 7;
    const int column = get_global_id(0);
    const int position = get_global_id(1) * width + column;
    const int block_top = (get_global_id(1) - y) * width + column;
    const int block_left = position - v;
    float sum = 0.0f;

    for (int i = 0; i < 8; i++)
        sum += c[8 * y + i] * image[block_top + i * width];
    out[position] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);
    sum = 0.0f;
    for (int i = 0; i < 8; i++)
        sum += out[block_left + i] * c[8 * v + i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[position] = sum;
}
