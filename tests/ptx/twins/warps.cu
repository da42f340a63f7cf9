/* Reductions, atomics, exchanges in warps, and control flow. SPDX-License-Identifier: GPL-3.0-or-later */

__global__ void reduce(const float *in, float *out, int n)
{
    __shared__ float part[128];
    float sum = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int k = 64; k >= 32; k /= 2) {
        if (threadIdx.x < k)
            part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    sum = part[threadIdx.x % 32];
    if (threadIdx.x < 32)
        for (int k = 16; k > 0; k /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, k);
    if (threadIdx.x == 0)
        atomicAdd(out + blockIdx.x % 4, sum);
}

__global__ void histogram(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned bins[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x < 64)
        bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[i] & 63], 1);
    atomicMax(&out[64], in[i]);
    atomicMin((int *)&out[65], (int)in[i]);
    atomicXor(&out[66], in[i]);
    atomicInc(&out[67], 100);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

__global__ void largest(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int *at = (int *)out, old = *at;

    while (in[i] > __int_as_float(old)) {
        int seen = atomicCAS(at, old, __float_as_int(in[i]));

        if (seen == old)
            break;
        old = seen;
    }
}

__global__ void exchange(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], sum;
    unsigned all = 0xffffffff;

    sum = __shfl_up_sync(all, v, 3) ^ __shfl_down_sync(all, v, 5, 8) ^ __shfl_sync(all, v, v & 15, 16);
    sum += __popc(__ballot_sync(all, v & 1)) + __any_sync(all, v == 7) + 2 * __all_sync(all, v >= 0);
    sum ^= (int)__match_any_sync(all, v & 3);
    sum += __reduce_add_sync(all, v & 255) - __reduce_max_sync(all, v);
    if (v & 4)
        sum += __popc(__activemask());
    out[i] = sum;
}

__device__ __noinline__ float polynomial(float x, int degree)
{
    float y = 1;

    for (int k = 0; k < degree; k++)
        y = y * x + (float)k;
    return y;
}

__global__ void calls(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = i & 1 ? polynomial(in[i], i % 5) : polynomial(in[i] * 0.5f, 3);
}

__global__ void choices(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i], steps = 0;

    if (i >= n - 7)
        return;
    switch (v & 7) {
    case 0: v = v * 3 + 1; break;
    case 1: v = v / 7; break;
    case 2: v = v ^ in[i + 1]; break;
    case 3: v = v % 13; break;
    case 4: v = -v; break;
    case 5: v = v << 3; break;
    case 6: v = v - in[i + 7]; break;
    default: v = 9; break;
    }
    while (v > 1 && steps < 40) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        steps++;
    }
    out[i] = v + 1000 * steps;
}
