/* Checks the Sobel kernels: computes the magnitude of the Sobel gradient of the luma in double.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

/* Returns the luma of the pixel at (x, y), clamped to the image. */
static double luma(__global const uchar4 *in, int x, int y, int width, int height)
{
    const uchar4 p = in[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];

    return 0.299 * p.x + 0.587 * p.y + 0.114 * p.z;
}

__kernel void sobel3x3(__global const uchar4 *in, __global float *out, int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    double gx = 0, gy = 0;

    for (int k = -1; k <= 1; k++) {
        const int weight = k == 0 ? 2 : 1;

        gx += weight * (luma(in, x + 1, y + k, width, height) -
                        luma(in, x - 1, y + k, width, height));
        gy += weight * (luma(in, x + k, y + 1, width, height) -
                        luma(in, x + k, y - 1, width, height));
    }
    out[y * width + x] = (float)sqrt(gx * gx + gy * gy);
}
