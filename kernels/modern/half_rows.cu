/* Programs of language models on halves and bfloat16 values, two or eight at a time, with cooperative groups and CUB.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_reduce.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

/* Bias and GELU by a tangent, on pairs of halves. */
extern "C" __global__ void gelu_half2(const __half *x, const __half *bias, __half *out, int columns, int n)
{
    int at = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    __half2 v[4], b[4];
    if (at >= n)
        return;
    *(int4 *)v = *(const int4 *)&x[at];
    *(int4 *)b = *(const int4 *)&bias[at % columns];
    for (int i = 0; i < 4; i++) {
        __half2 s = __hadd2(v[i], b[i]);
        __half2 inner = __hmul2(s, __hfma2(__hmul2(s, s), __float2half2_rn(0.0356774f), __float2half2_rn(0.7978846f)));
        float2 t = __half22float2(inner);
        __half2 tangent = __floats2half2_rn(tanhf(t.x), tanhf(t.y));
        v[i] = __hmul2(__hmul2(s, __float2half2_rn(0.5f)), __hadd2(tangent, __float2half2_rn(1)));
    }
    *(int4 *)&out[at] = *(int4 *)v;
}

/* Layer normalisation, a block for each row; sums by tiles of 32 threads. */
extern "C" __global__ void __launch_bounds__(256)
    layer_norm_groups(const __nv_bfloat16 *x, const __nv_bfloat16 *weight, const __nv_bfloat16 *bias,
                      __nv_bfloat16 *out, int columns, float epsilon)
{
    __shared__ float2 parts[8];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    const __nv_bfloat162 *row = (const __nv_bfloat162 *)(x + (size_t)blockIdx.x * columns);
    float2 sums = make_float2(0, 0);
    for (int i = threadIdx.x; i < columns / 2; i += 256) {
        float2 v = __bfloat1622float2(row[i]);
        sums.x += v.x + v.y;
        sums.y += v.x * v.x + v.y * v.y;
    }
    sums.x = cg::reduce(warp, sums.x, cg::plus<float>());
    sums.y = cg::reduce(warp, sums.y, cg::plus<float>());
    if (warp.thread_rank() == 0)
        parts[warp.meta_group_rank()] = sums;
    block.sync();
    sums = parts[warp.thread_rank() % 8];
    cg::thread_block_tile<8> eight = cg::tiled_partition<8>(warp);
    sums.x = cg::reduce(eight, sums.x, cg::plus<float>());
    sums.y = cg::reduce(eight, sums.y, cg::plus<float>());
    float mean = sums.x / columns, scale = rsqrtf(sums.y / columns - mean * mean + epsilon);
    for (int i = threadIdx.x; i < columns / 2; i += 256) {
        float2 v = __bfloat1622float2(row[i]), w = __bfloat1622float2(((const __nv_bfloat162 *)weight)[i]);
        float2 b = __bfloat1622float2(((const __nv_bfloat162 *)bias)[i]);
        ((__nv_bfloat162 *)out)[(size_t)blockIdx.x * (columns / 2) + i] =
            __floats2bfloat162_rn((v.x - mean) * scale * w.x + b.x, (v.y - mean) * scale * w.y + b.y);
    }
}

/* Softmax of rows of halves, a warp for each row, with the maximum and the sum in one pass. */
extern "C" __global__ void __launch_bounds__(128) softmax_warp(const __half *x, __half *out, int rows, int columns)
{
    int row = (blockIdx.x * 128 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const __half2 *from = (const __half2 *)(x + (size_t)row * columns);
    float largest = -1e30f, total = 0;
    for (int i = lane; i < columns / 2; i += 32) {
        float2 v = __half22float2(from[i]);
        float above = fmaxf(largest, fmaxf(v.x, v.y));
        total = total * __expf(largest - above) + __expf(v.x - above) + __expf(v.y - above);
        largest = above;
    }
    for (int d = 16; d > 0; d /= 2) {
        float other = __shfl_xor_sync(~0u, largest, d), sum = __shfl_xor_sync(~0u, total, d);
        float above = fmaxf(largest, other);
        total = total * __expf(largest - above) + sum * __expf(other - above);
        largest = above;
    }
    for (int i = lane; i < columns / 2; i += 32) {
        float2 v = __half22float2(from[i]);
        ((__half2 *)out)[(size_t)row * (columns / 2) + i] =
            __floats2half2_rn(__expf(v.x - largest) / total, __expf(v.y - largest) / total);
    }
}

/* Normalisation by the root mean square, eight values a thread at a time; the sum by CUB. */
extern "C" __global__ void __launch_bounds__(256)
    rms_norm_cub(const __nv_bfloat16 *x, const __nv_bfloat16 *weight, __nv_bfloat16 *out, int columns, float epsilon)
{
    typedef cub::BlockReduce<float, 256> reduce;
    __shared__ reduce::TempStorage storage;
    __shared__ float scale;
    const int4 *row = (const int4 *)(x + (size_t)blockIdx.x * columns);
    float sum = 0;
    for (int i = threadIdx.x; i < columns / 8; i += 256) {
        int4 bits = row[i];
        const __nv_bfloat162 *v = (const __nv_bfloat162 *)&bits;
        for (int e = 0; e < 4; e++) {
            float2 f = __bfloat1622float2(v[e]);
            sum += f.x * f.x + f.y * f.y;
        }
    }
    sum = reduce(storage).Sum(sum);
    if (threadIdx.x == 0)
        scale = rsqrtf(sum / columns + epsilon);
    __syncthreads();
    for (int i = threadIdx.x; i < columns / 8; i += 256) {
        int4 bits = row[i], factors = ((const int4 *)weight)[i];
        __nv_bfloat162 *v = (__nv_bfloat162 *)&bits, *w = (__nv_bfloat162 *)&factors;
        for (int e = 0; e < 4; e++) {
            float2 f = __bfloat1622float2(v[e]), g = __bfloat1622float2(w[e]);
            v[e] = __floats2bfloat162_rn(f.x * scale * g.x, f.y * scale * g.y);
        }
        ((int4 *)out)[(size_t)blockIdx.x * (columns / 8) + i] = bits;
    }
}

/* Rotary position embedding of adjacent pairs, with the angles computed. A thread for each four pairs. */
extern "C" __global__ void rotary_pairs(const __nv_bfloat16 *x, __nv_bfloat16 *out, int heads, int tokens, float base)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x, part = at % 16, token = at / 16 / heads;
    if (token >= tokens)
        return;
    int4 bits = ((const int4 *)x)[at];
    __nv_bfloat162 *v = (__nv_bfloat162 *)&bits;
    for (int e = 0; e < 4; e++) {
        float s, c;
        float2 f = __bfloat1622float2(v[e]);
        sincosf(token * exp2f(base * (4 * part + e)), &s, &c);
        v[e] = __floats2bfloat162_rn(f.x * c - f.y * s, f.x * s + f.y * c);
    }
    ((int4 *)out)[at] = bits;
}

/* Matrix-vector product of bytes, a warp for each row. */
extern "C" __global__ void __launch_bounds__(256)
    matvec_dp4a(const int *weights, const int *x, const float *scales, float *out, int words)
{
    int row = (blockIdx.x * 256 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const int4 *from = (const int4 *)(weights + (size_t)row * words);
    int sum = 0;
    for (int i = lane; i < words / 4; i += 32) {
        int4 w = from[i], v = ((const int4 *)x)[i];
        sum = __dp4a(w.x, v.x, __dp4a(w.y, v.y, __dp4a(w.z, v.z, __dp4a(w.w, v.w, sum))));
    }
    sum = __reduce_add_sync(~0u, sum);
    if (lane == 0)
        out[row] = sum * scales[row];
}

/* Matrix-vector product with weights of four bits, a warp for each row. The bits become halves 1024 + weight. */
extern "C" __global__ void __launch_bounds__(128)
    matvec_int4_half2(const unsigned *packed, const __half *scales, const __half *x, float *out, int k)
{
    int row = (blockIdx.x * 128 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const unsigned *from = packed + (size_t)row * (k / 8);
    float total = 0;
    for (int i = lane; i < k / 8; i += 32) {
        unsigned bits = from[i];
        int4 given = *(const int4 *)&x[i * 8];
        const __half2 *v = (const __half2 *)&given;
        float sum = 0;
        for (int e = 0; e < 4; e++) {
            unsigned pair = (bits >> (8 * e) & 15) | (bits >> (8 * e + 4) & 15) << 16 | 0x64006400u;
            float2 p = __half22float2(__hmul2(__hsub2(*(__half2 *)&pair, __float2half2_rn(1032)), v[e]));
            sum += p.x + p.y;
        }
        total += sum * __half2float(scales[(size_t)row * (k / 128) + i / 16]);
    }
    total = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), total, cg::plus<float>());
    if (lane == 0)
        out[row] = total;
}
