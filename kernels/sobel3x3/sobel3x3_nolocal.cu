/* kernels/sobel3x3/sobel3x3_nolocal.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
static __device__ float luma(uchar4 p)
{
    return 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
}

__global__ void sobel3x3(const uchar4 *__restrict__ in, float *__restrict__ out, int width,
                         int height)
{
    const int x = blockIdx.x * GX + threadIdx.x, y = blockIdx.y * GY + threadIdx.y;
    const int left = max(x - 1, 0), right = min(x + 1, width - 1);
    const int up = max(y - 1, 0) * width, here = y * width, down = min(y + 1, height - 1) * width;

    const float nw = luma(in[up + left]), n = luma(in[up + x]), ne = luma(in[up + right]);
    const float w = luma(in[here + left]), e = luma(in[here + right]);
    const float sw = luma(in[down + left]), s = luma(in[down + x]), se = luma(in[down + right]);
    const float gx = (ne + 2.0f * e + se) - (nw + 2.0f * w + sw);
    const float gy = (sw + 2.0f * s + se) - (nw + 2.0f * n + ne);

    out[here + x] = sqrtf(gx * gx + gy * gy);
}
