/* kernels/corpus/burning_ship.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
// Burning Ship fractal in fixed point (FRAC fractional bits): z <- (|Re z| + i |Im z|)^2 + c
#define FRAC 26
typedef long fix;

static __device__ fix fmulx(fix a, fix b)
{
    return (a * b) >> FRAC;
}

__global__ void ship(unsigned short *__restrict__ counts, int width, int height, int left, int top,
                     int pixel, int max_iter)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;

    fix cx = (fix)left + (fix)px * pixel;
    fix cy = (fix)top + (fix)py * pixel;
    fix x = 0, y = 0;
    int n = 0;
    while (n < max_iter) {
        fix xx = fmulx(x, x);
        fix yy = fmulx(y, y);
        if (xx + yy > ((fix)4 << FRAC))
            break;
        fix xy = fmulx(abs((int)x), abs((int)y));
        x = xx - yy + cx;
        y = 2 * xy + cy;
        ++n;
    }
    counts[py * width + px] = (unsigned short)n;
}
