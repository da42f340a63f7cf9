/* References of the programs that programs.csv marks as blind: one thread for each result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void matmul_int8_plain(const signed char *a, const signed char *b, const float *row_scales,
                                             const float *column_scales, __half *c, int n, int k)
{
    int i = INDEX / n, j = INDEX % n, sum = 0;
    for (int l = 0; l < k; l++)
        sum += a[(size_t)i * k + l] * b[(size_t)j * k + l];
    c[INDEX] = __float2half(sum * row_scales[i] * column_scales[j]);
}

extern "C" __global__ void swiglu_plain(const __nv_bfloat16 *x, __nv_bfloat16 *out, int columns)
{
    size_t row = INDEX / columns, column = INDEX % columns;
    float gate = __bfloat162float(x[row * 2 * columns + column]);
    float up = __bfloat162float(x[row * 2 * columns + columns + column]);
    out[INDEX] = __float2bfloat16(gate / (1 + expf(-gate)) * up);
}

extern "C" __global__ void top16_plain(const float *x, float *out)
{
    unsigned first = INDEX / 256 * 256, place = 0;
    for (unsigned i = first; i < first + 256; i++)
        place += x[i] > x[INDEX] || (x[i] == x[INDEX] && i < INDEX);
    if (place < 16)
        out[first / 16 + place] = x[INDEX];
}

extern "C" __global__ void adamw_plain(__nv_bfloat16 *weights, const __nv_bfloat16 *gradients, float *first_moments,
                                       float *second_moments, int n, float rate, float decay)
{
    if (INDEX >= n)
        return;
    float w = __bfloat162float(weights[INDEX]), g = __bfloat162float(gradients[INDEX]);
    float m = first_moments[INDEX] * 0.9f + g * 0.1f, v = second_moments[INDEX] * 0.999f + g * g * 0.001f;
    first_moments[INDEX] = m;
    second_moments[INDEX] = v;
    weights[INDEX] = __float2bfloat16(w * (1 - rate * decay) - rate * m / (sqrtf(v) + 1e-8f));
}

extern "C" __global__ void causal_conv_plain(const __half *x, const __half *weight, const __half *bias, __half *out,
                                             int length, int channels)
{
    int channel = INDEX % channels, step = INDEX / channels % length;
    float sum = __half2float(bias[channel]);
    for (int tap = 0; tap < 4; tap++)
        if (step + tap >= 3)
            sum += __half2float(x[INDEX + (tap - 3) * channels]) * __half2float(weight[tap * channels + channel]);
    out[INDEX] = __float2half(sum / (1 + expf(-sum)));
}

extern "C" __global__ void syrk_plain(const __nv_bfloat16 *a, float *c, int n, int k)
{
    int i = INDEX / n, j = INDEX % n;
    float sum = 0;
    if (j / 128 > i / 128)
        return;
    for (int l = 0; l < k; l++)
        sum += __bfloat162float(a[(size_t)i * k + l]) * __bfloat162float(a[(size_t)j * k + l]);
    c[INDEX] = sum;
}

extern "C" __global__ void matmul_double_plain(const double *a, const double *b, double *c, int n, int k)
{
    int i = INDEX / n, j = INDEX % n;
    double sum = 0;
    for (int l = 0; l < k; l++)
        sum += a[(size_t)i * k + l] * b[(size_t)l * n + j];
    c[INDEX] = sum;
}

extern "C" __global__ void weights_int8_plain(const __half *x, const signed char *weight, const float *scales,
                                              __half *out, int n, int k)
{
    int i = INDEX / n, j = INDEX % n;
    float sum = 0;
    for (int l = 0; l < k; l++)
        sum += __half2float(x[(size_t)i * k + l]) * weight[(size_t)j * k + l];
    out[INDEX] = __float2half(sum * scales[j]);
}

extern "C" __global__ void matvec_plain(const float *a, const float *x, float *y, int columns)
{
    float sum = 0;
    for (int i = 0; i < columns; i++)
        sum += a[(size_t)INDEX * columns + i] * x[i];
    y[INDEX] = sum;
}

extern "C" __global__ void conv5_plain(const float *in, const float *weight, float *out, int width)
{
    int x = INDEX % width, y = INDEX / width;
    float sum = 0;
    for (int i = 0; i < 25; i++)
        sum += weight[i] * in[(size_t)(y + i / 5) * (width + 8) + x + 2 + i % 5];
    out[INDEX] = sum;
}

/* One thread. */
extern "C" __global__ void merge_plain(const int *a, const int *b, int *out, int n)
{
    int i = 0, j = 0;
    for (int l = 0; l < 2 * n; l++)
        out[l] = j >= n || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
}

extern "C" __global__ void sort_segments_plain(const int *starts, const float *in, float *out)
{
    int first = starts[blockIdx.x], last = starts[blockIdx.x + 1];
    for (int i = first + threadIdx.x; i < last; i += blockDim.x) {
        int place = first;
        for (int j = first; j < last; j++)
            place += in[j] < in[i] || (in[j] == in[i] && j < i);
        out[place] = in[i];
    }
}

/* A thread for each tile. */
extern "C" __global__ void find_runs_plain(const int *keys, int *places, int *counts)
{
    int count = 0;
    for (int i = 0; i < 1024; i++)
        if (i == 0 || keys[INDEX * 1024 + i] != keys[INDEX * 1024 + i - 1])
            places[INDEX * 1024 + count++] = i;
    counts[INDEX] = count;
}

extern "C" __global__ void mean_of_bag_plain(const int *rows, const __nv_bfloat16 *table, __nv_bfloat16 *out, int columns)
{
    int bag = INDEX / columns, column = INDEX % columns;
    float sum = 0;
    for (int i = 0; i < 32; i++)
        sum += __bfloat162float(table[(size_t)rows[bag * 32 + i] * columns + column]);
    out[INDEX] = __float2bfloat16(sum / 32);
}

extern "C" __global__ void choose_experts_plain(const float *scores, int *experts, float *weights, int *loads, int tokens)
{
    int best = 0, next = -1;
    const float *mine = scores + (size_t)INDEX * 64;
    if (INDEX >= tokens)
        return;
    for (int i = 1; i < 64; i++)
        if (mine[i] > mine[best])
            best = i;
    for (int i = 0; i < 64; i++)
        if (i != best && (next < 0 || mine[i] > mine[next]))
            next = i;
    experts[2 * INDEX] = best;
    experts[2 * INDEX + 1] = next;
    weights[2 * INDEX] = 1 / (1 + expf(mine[next] - mine[best]));
    weights[2 * INDEX + 1] = 1 - weights[2 * INDEX];
    atomicAdd(&loads[best], 1);
    atomicAdd(&loads[next], 1);
}
