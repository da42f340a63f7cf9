/* Convolution of an image with 15 x 15 weights: convolve_15x15.cl in CUDA. The weights are in
 * constant memory. The host may fill them, so they are operands of the multiply-adds and not
 * constants in the code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define SIDE 4096
#define FILTER 15
#define BORDER (FILTER / 2 * 2)
#define PITCH (SIDE + BORDER)
#define WIDE (BLOCK_X * TILE_X)
#define HIGH (BLOCK_Y * TILE_Y)
#define WHOLE (SIDE % WIDE == 0 && SIDE % HIGH == 0)

#if PADDING && BLOCK_X % 32 != 0 && (WIDE + BORDER - BLOCK_X) % 32 != 0
#define ROW (WIDE + BORDER + ((32 - (BORDER + WIDE - BLOCK_X)) & 31))
#else
#define ROW (WIDE + BORDER)
#endif

#if READ_ONLY
#define LOAD(place) __ldg(&(place))
#else
#define LOAD(place) (place)
#endif

#define WEIGHT(i) (((i) * 7919 % 1009 + 0.5f) / 1009)
#define FIVE(i) WEIGHT(i), WEIGHT(i + 1), WEIGHT(i + 2), WEIGHT(i + 3), WEIGHT(i + 4)
#define LINE(i) FIVE(15 * i), FIVE(15 * i + 5), FIVE(15 * i + 10)

__constant__ float weights[FILTER * FILTER] = {LINE(0), LINE(1), LINE(2),  LINE(3),  LINE(4),  LINE(5),  LINE(6), LINE(7),
                                               LINE(8), LINE(9), LINE(10), LINE(11), LINE(12), LINE(13), LINE(14)};

__global__ void convolve(float *out, const float *image)
{
    const int x0 = blockIdx.x * WIDE, y0 = blockIdx.y * HIGH, tx = threadIdx.x, ty = threadIdx.y;
    float sum[TILE_Y][TILE_X];

#if SHARED
    __shared__ float part[HIGH + BORDER][ROW];

#pragma unroll
    for (int y = ty; y < HIGH + BORDER; y += BLOCK_Y)
#pragma unroll
        for (int x = tx; x < WIDE + BORDER; x += BLOCK_X) {
            float pixel = 0.0f;

            if (WHOLE || (y0 + y < PITCH && x0 + x < PITCH))
                pixel = LOAD(image[(y0 + y) * PITCH + x0 + x]);
            part[y][x] = pixel;
        }
    __syncthreads();
#endif

#pragma unroll
    for (int j = 0; j < TILE_Y; j++)
#pragma unroll
        for (int i = 0; i < TILE_X; i++)
            sum[j][i] = 0.0f;
#pragma unroll
    for (int v = 0; v < FILTER; v++)
#pragma unroll
        for (int u = 0; u < FILTER; u++)
#pragma unroll
            for (int j = 0; j < TILE_Y; j++)
#pragma unroll
                for (int i = 0; i < TILE_X; i++) {
                    const int x = tx + i * BLOCK_X, y = ty + j * BLOCK_Y;
#if SHARED
                    float pixel = part[y + v][x + u];
#else
                    float pixel = 0.0f;

                    if (WHOLE || (y0 + y < SIDE && x0 + x < SIDE))
                        pixel = LOAD(image[(y0 + y + v) * PITCH + x0 + x + u]);
#endif
                    sum[j][i] += pixel * weights[v * FILTER + u];
                }
#pragma unroll
    for (int j = 0; j < TILE_Y; j++)
#pragma unroll
        for (int i = 0; i < TILE_X; i++) {
            const int x = x0 + tx + i * BLOCK_X, y = y0 + ty + j * BLOCK_Y;

            if (WHOLE || (x < SIDE && y < SIDE))
                out[y * SIDE + x] = sum[j][i];
        }
}
