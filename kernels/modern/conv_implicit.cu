/* Convolution of 3 x 3 with 64 output channels as an implicit matrix product (im2col in shared memory). Images have the
 * channels innermost. A block computes 64 pixels of a row of the image.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "async_copy.cuh"

#include <cuda_fp16.h>

#define STRIDE 40

extern "C" __global__ void __launch_bounds__(128)
    conv3x3(const __half *in, const __half *weight, __half *out, int height, int width, int channels)
{
    __shared__ __align__(16) __half pixels[2][64][STRIDE], filter[2][32][72];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 32;
    const int x = blockIdx.x * 64, y = blockIdx.y;
    const __half *image = in + (size_t)blockIdx.z * height * width * channels;
    const int steps = 9 * channels / 32;
    float sums[2][4][4] = {};
    auto fetch = [&](int step) {
        int tap = step / (channels / 32), first = step % (channels / 32) * 32, from_y = y + tap / 3 - 1;
        for (int i = threadIdx.x; i < 256; i += 128) {
            int from_x = x + i / 4 + tap % 3 - 1;
            bool inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < height;
            copy16_or_zeros(&pixels[step % 2][i / 4][i % 4 * 8],
                            inside ? &image[((size_t)from_y * width + from_x) * channels + first + i % 4 * 8] : image,
                            inside);
            copy16(&filter[step % 2][i / 8][i % 8 * 8], &weight[(tap * channels + first + i / 8) * 64 + i % 8 * 8]);
        }
        end_group();
    };
    fetch(0);
    for (int step = 0; step < steps; step++) {
        wait_groups<0>();
        __syncthreads();
        if (step + 1 < steps)
            fetch(step + 1);
#pragma unroll
        for (int l = 0; l < 32; l += 16) {
            unsigned a[2][4], b[2][4];
            for (int i = 0; i < 2; i++) {
                load_matrices(a[i], &pixels[step % 2][row + 16 * i + lane % 16][l + lane / 16 * 8]);
                load_transposed(b[i], &filter[step % 2][l + lane % 16][column + 16 * i + lane / 16 * 8]);
            }
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 4; j++)
                    mma_f16(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
        }
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            for (int r = 0; r < 2; r++) {
                int pixel = x + row + 16 * i + lane / 4 + 8 * r, channel = column + 8 * j + lane % 4 * 2;
                *(__half2 *)&out[(((size_t)blockIdx.z * height + y) * width + pixel) * 64 + channel] =
                    __floats2half2_rn(fmaxf(sums[i][j][2 * r], 0), fmaxf(sums[i][j][2 * r + 1], 0));
            }
}
