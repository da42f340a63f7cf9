/* Softmax of rows of more than 1024 numbers, as PyTorch computes it. A block goes through its row
 * three times: for the largest number, for the sum and for the results. Each thread reads four
 * numbers at once, from the first 16-byte-aligned address on. The threads' results are combined in
 * shared memory: the threads of the first warp combine 32 values each, and one thread the rest.
 * softmax_plain is the definition.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define EACH 4
#define WARP 32

struct Largest {
    static __device__ float none() { return -INFINITY; }
    static __device__ float join(float a, float b) { return a < b ? b : a; }
    __device__ float operator()(float all, float value) const { return join(all, value); }
};

struct Sum {
    float largest;

    static __device__ float none() { return 0; }
    static __device__ float join(float a, float b) { return a + b; }
    __device__ float operator()(float all, float value) const { return all + expf(value - largest); }
};

static __device__ int numbers_before_aligned(const float *row)
{
    return (int)((unsigned long long)row % sizeof(float4) / sizeof(float));
}

/* Returns the thread's result (sum or largest number) for its part of the row. */
template <typename Take> static __device__ float of_thread(const float *row, int size, Take take)
{
    int shift = numbers_before_aligned(row), at = threadIdx.x, rest;
    float found = Take::none();

    if (shift > 0) {
        row -= shift;
        size += shift;
        if (at >= shift)
            found = take(found, row[at]);
        size -= blockDim.x;
        row += blockDim.x;
    }
    rest = size % (EACH * blockDim.x);
    for (; at * EACH < size - rest; at += blockDim.x) {
        float4 four = ((const float4 *)row)[at];

        found = take(take(take(take(found, four.x), four.y), four.z), four.w);
    }
    for (at = size - rest + threadIdx.x; at < size; at += blockDim.x)
        found = take(found, row[at]);
    return found;
}

template <typename Take> static __device__ float of_block(float mine, float *shared)
{
    int warps = blockDim.x / WARP;
    float all = Take::none();

    __syncthreads();
    shared[threadIdx.x] = mine;
    __syncthreads();
    if (threadIdx.x < WARP && threadIdx.x < warps) {
        float of_warp = Take::none();

#pragma unroll
        for (int i = 0; i < WARP; i++)
            of_warp = Take::join(of_warp, shared[threadIdx.x * WARP + i]);
        __syncwarp((1u << warps) - 1);
        shared[threadIdx.x] = of_warp;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < warps; i++)
            all = Take::join(all, shared[i]);
        shared[0] = all;
    }
    __syncthreads();
    return shared[0];
}

static __device__ void write(float *out, const float *row, int size, float largest, float sum)
{
    int shift = numbers_before_aligned(row), at = threadIdx.x, rest;

    if (shift > 0) {
        row -= shift;
        out -= shift;
        size += shift;
        if (at >= shift)
            out[at] = expf(row[at] - largest) / sum;
        size -= blockDim.x;
        row += blockDim.x;
        out += blockDim.x;
    }
    rest = size % (EACH * blockDim.x);
    for (; at * EACH < size - rest; at += blockDim.x) {
        float4 four = ((const float4 *)row)[at];

        ((float4 *)out)[at] = make_float4(expf(four.x - largest) / sum, expf(four.y - largest) / sum,
                                          expf(four.z - largest) / sum, expf(four.w - largest) / sum);
    }
    for (at = size - rest + threadIdx.x; at < size; at += blockDim.x)
        out[at] = expf(row[at] - largest) / sum;
}

extern "C" __global__ void softmax_block(float *out, const float *in, int width)
{
    extern __shared__ float shared[];
    const float *row = in + (long long)blockIdx.x * width;
    float largest = of_block<Largest>(of_thread(row, width, Largest()), shared);
    float sum = of_block<Sum>(of_thread(row, width, Sum{largest}), shared);

    write(out + (long long)blockIdx.x * width, row, width, largest, sum);
}

extern "C" __global__ void softmax_plain(float *out, const float *in, int width, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float largest = -INFINITY, sum = 0;

    if (row >= rows)
        return;
    in += (long long)row * width;
    for (int i = 0; i < width; i++)
        largest = fmaxf(largest, in[i]);
    for (int i = 0; i < width; i++)
        sum += expf(in[i] - largest);
    for (int i = 0; i < width; i++)
        out[(long long)row * width + i] = expf(in[i] - largest) / sum;
}
