/* Magnitude of the Sobel gradient of an RGBA image's luma, with coordinates clamped at the edges.
 * The luma of the work-group's pixels and of a border of one pixel is computed once and staged in
 * __local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Returns the luma (Rec. 601) of an RGBA pixel; alpha is ignored. */
static float luma(uchar4 p)
{
    return 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
}

__kernel __attribute__((reqd_work_group_size(GX, GY, 1))) void
sobel3x3(__global const uchar4 *restrict in, __global float *restrict out, int width, int height)
{
    __local float tile[GY + 2][GX + 2];
    const int left = (int)get_group_id(0) * GX - 1, top = (int)get_group_id(1) * GY - 1;
    const int x = get_local_id(0), y = get_local_id(1);

    for (int i = y * GX + x; i < (GX + 2) * (GY + 2); i += GX * GY) {
        const int row = i / (GX + 2), column = i % (GX + 2);
        const int from_x = clamp(left + column, 0, width - 1);
        const int from_y = clamp(top + row, 0, height - 1);

        tile[row][column] = luma(in[from_y * width + from_x]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const float nw = tile[y][x], n = tile[y][x + 1], ne = tile[y][x + 2];
    const float w = tile[y + 1][x], e = tile[y + 1][x + 2];
    const float sw = tile[y + 2][x], s = tile[y + 2][x + 1], se = tile[y + 2][x + 2];
    const float gx = (ne + 2.0f * e + se) - (nw + 2.0f * w + sw);
    const float gy = (sw + 2.0f * s + se) - (nw + 2.0f * n + ne);

    out[(int)get_global_id(1) * width + (int)get_global_id(0)] = sqrt(gx * gx + gy * gy);
}
