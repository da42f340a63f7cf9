/* Magnitude of the Sobel gradient of an RGBA image's luma, with coordinates clamped at the edges.
 * Pixels are read directly from global memory, and each work-item computes the luma of its eight
 * neighbours.
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
    const int x = get_global_id(0), y = get_global_id(1);
    const int left = max(x - 1, 0), right = min(x + 1, width - 1);
    const int up = max(y - 1, 0) * width, here = y * width, down = min(y + 1, height - 1) * width;

    const float nw = luma(in[up + left]), n = luma(in[up + x]), ne = luma(in[up + right]);
    const float w = luma(in[here + left]), e = luma(in[here + right]);
    const float sw = luma(in[down + left]), s = luma(in[down + x]), se = luma(in[down + right]);
    const float gx = (ne + 2.0f * e + se) - (nw + 2.0f * w + sw);
    const float gy = (sw + 2.0f * s + se) - (nw + 2.0f * n + ne);

    out[here + x] = sqrt(gx * gx + gy * gy);
}
