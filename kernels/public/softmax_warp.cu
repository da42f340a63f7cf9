/* Softmax of rows of at most 1024 numbers, as PyTorch computes it. A warp reads a row into
 * registers, 32 numbers for each thread, and finds its largest number and the sum by shuffles. A
 * block has four warps. softmax_plain is the definition.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define WARP 32
#define EACH 32
#define ALL 0xffffffffu

static __device__ float largest_of_warp(float mine)
{
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2) {
        float other = __shfl_xor_sync(ALL, mine, step);

        mine = mine < other ? other : mine;
    }
    return mine;
}

static __device__ float sum_of_warp(float mine)
{
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2)
        mine += __shfl_xor_sync(ALL, mine, step);
    return mine;
}

extern "C" __global__ void softmax_warp(float *out, const float *in, int rows, int width)
{
    int row = blockDim.y * blockIdx.x + threadIdx.y, lane = threadIdx.x;
    int count = row < rows ? width : 0;
    float values[EACH], largest, sum = 0;

    in += row * width + lane;
    out += row * width + lane;
#pragma unroll
    for (int i = 0; i < EACH; i++)
        values[i] = lane + i * WARP < count ? in[i * WARP] : -INFINITY;
    largest = values[0];
#pragma unroll
    for (int i = 1; i < EACH; i++)
        largest = largest > values[i] ? largest : values[i];
    largest = largest_of_warp(largest);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        values[i] = expf(values[i] - largest);
        sum += values[i];
    }
    sum = sum_of_warp(sum);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (lane + i * WARP >= count)
            break;
        out[i * WARP] = values[i] / sum;
    }
}

extern "C" __global__ void softmax_plain(float *out, const float *in, int rows, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float largest = -INFINITY, sum = 0;

    if (row >= rows)
        return;
    for (int i = 0; i < width; i++)
        largest = fmaxf(largest, in[row * width + i]);
    for (int i = 0; i < width; i++)
        sum += expf(in[row * width + i] - largest);
    for (int i = 0; i < width; i++)
        out[row * width + i] = expf(in[row * width + i] - largest) / sum;
}
