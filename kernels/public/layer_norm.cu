/* Layer norm of rows whose length is a multiple of four, as PyTorch computes it. A block of 32 x 4
 * threads handles a row. Each thread reads four numbers at once, and finds mean and variance in one
 * pass by Welford's update. Threads of a warp combine their results by shuffles, and warps by
 * shared memory. A second pass writes the row. layer_norm_plain is the definition.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define WARP 32
#define EACH 4
#define ALL 0xffffffffu

struct Moments {
    float mean, squares, count;
};

static __device__ Moments with(Moments all, float value)
{
    float off = value - all.mean, count = all.count + 1, mean = all.mean + off * (1.0f / count);

    return {mean, all.squares + off * (value - mean), count};
}

static __device__ Moments joined(Moments a, Moments b)
{
    float off = b.mean - a.mean, count = a.count + b.count;
    Moments both = {0, 0, count};

    if (count > 0) {
        float share = 1.0f / count, of_a = a.count * share, of_b = b.count * share;

        both.mean = of_a * a.mean + of_b * b.mean;
        both.squares = a.squares + b.squares + off * off * a.count * of_b;
    }
    return both;
}

/* Returns mean and variance of a row. shared has 3 / 2 floats for each of the block's warps. */
static __device__ float2 moments_of(const float *row, int width, float *shared)
{
    const float4 *fours = (const float4 *)row;
    int threads = blockDim.x * blockDim.y, thread = threadIdx.x + threadIdx.y * blockDim.x;
    float *counts = shared + blockDim.y;
    Moments mine = {0, 0, 0};

    for (int i = thread; i < width / EACH; i += threads) {
        float4 four = fours[i];

        mine = with(with(with(with(mine, four.x), four.y), four.z), four.w);
    }
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2)
        mine = joined(mine, {__shfl_down_sync(ALL, mine.mean, step), __shfl_down_sync(ALL, mine.squares, step),
                             __shfl_down_sync(ALL, mine.count, step)});
    for (int half_of = blockDim.y / 2; half_of > 0; half_of /= 2) {
        if (threadIdx.x == 0 && threadIdx.y >= half_of && threadIdx.y < 2 * half_of) {
            int place = threadIdx.y - half_of;

            shared[2 * place] = mine.mean;
            shared[2 * place + 1] = mine.squares;
            counts[place] = mine.count;
        }
        __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y < half_of)
            mine = joined(mine, {shared[2 * threadIdx.y], shared[2 * threadIdx.y + 1], counts[threadIdx.y]});
        __syncthreads();
    }
    if (thread == 0) {
        shared[0] = mine.mean;
        shared[1] = mine.squares / width;
    }
    __syncthreads();
    return make_float2(shared[0], shared[1]);
}

extern "C" __global__ void layer_norm(float *out, float *means, float *factors, const float *in, const float *scale,
                                      const float *offset, int width, float epsilon)
{
    extern __shared__ float shared[];
    const float *row = in + (long long)blockIdx.x * width;
    float4 *out_fours = (float4 *)(out + (long long)blockIdx.x * width);
    int threads = blockDim.x * blockDim.y, thread = threadIdx.x + threadIdx.y * blockDim.x;
    float2 found = moments_of(row, width, shared);
    float mean = found.x, factor = rsqrtf(found.y + epsilon);

    for (int i = thread; i < width / EACH; i += threads) {
        float4 four = ((const float4 *)row)[i], by = ((const float4 *)scale)[i], add = ((const float4 *)offset)[i];

        out_fours[i] = make_float4(by.x * (factor * (four.x - mean)) + add.x, by.y * (factor * (four.y - mean)) + add.y,
                                   by.z * (factor * (four.z - mean)) + add.z, by.w * (factor * (four.w - mean)) + add.w);
    }
    if (thread == 0) {
        means[blockIdx.x] = mean;
        factors[blockIdx.x] = factor;
    }
}

extern "C" __global__ void layer_norm_plain(float *out, float *means, float *factors, const float *in, const float *scale,
                                            const float *offset, int width, float epsilon, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float mean = 0, squares = 0;

    if (row >= rows)
        return;
    in += (long long)row * width;
    for (int i = 0; i < width; i++)
        mean += in[i] / width;
    for (int i = 0; i < width; i++)
        squares += (in[i] - mean) * (in[i] - mean) / width;
    means[row] = mean;
    factors[row] = rsqrtf(squares + epsilon);
    for (int i = 0; i < width; i++)
        out[(long long)row * width + i] = scale[i] * (factors[row] * (in[i] - mean)) + offset[i];
}
