/* References of the programs in this folder: one thread for each result, without tensor cores or shared memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

static __device__ float get(__half x) { return __half2float(x); }
static __device__ float get(__nv_bfloat16 x) { return __bfloat162float(x); }
static __device__ float get(float x) { return x; }
static __device__ int get(signed char x) { return x; }
static __device__ double get(double x) { return x; }
static __device__ void put(__half *to, float x) { *to = __float2half(x); }
static __device__ void put(__nv_bfloat16 *to, float x) { *to = __float2bfloat16(x); }
static __device__ void put(float *to, float x) { *to = x; }
static __device__ void put(int *to, int x) { *to = x; }
static __device__ void put(double *to, double x) { *to = x; }

/* c = a b for each batch blockIdx.z. step, stride: distances in b of the elements of a column and of a row. */
#define PRODUCT(name, T, OUT, SUM, step, stride)                                                                       \
    extern "C" __global__ void name(const T *a, const T *b, OUT *c, int m, int n, int k)                               \
    {                                                                                                                  \
        size_t batch = blockIdx.z, i = INDEX / n, j = INDEX % n;                                                       \
        SUM sum = 0;                                                                                                   \
        if (i >= m)                                                                                                    \
            return;                                                                                                    \
        for (int l = 0; l < k; l++)                                                                                    \
            sum += get(a[(batch * m + i) * k + l]) * get(b[batch * n * k + l * (size_t)(step) + j * (stride)]);        \
        put(&c[(batch * m + i) * n + j], sum);                                                                         \
    }

PRODUCT(product_half, __half, __half, float, n, 1)
PRODUCT(product_half_float, __half, float, float, n, 1)
PRODUCT(product_half_float_transposed, __half, float, float, 1, k)
PRODUCT(product_bf16_transposed, __nv_bfloat16, __nv_bfloat16, float, 1, k)
PRODUCT(product_bf16_float_transposed, __nv_bfloat16, float, float, 1, k)
PRODUCT(product_float_transposed, float, float, float, 1, k)
PRODUCT(product_int8_transposed, signed char, int, int, 1, k)
PRODUCT(product_double, double, double, double, n, 1)

extern "C" __global__ void linear_gelu_plain(const __half *x, const __half *weight, const __half *bias, __half *out,
                                             int m, int n, int k)
{
    int i = INDEX / n, j = INDEX % n;
    float sum = 0;
    if (i >= m)
        return;
    for (int l = 0; l < k; l++)
        sum += get(x[i * k + l]) * get(weight[l * n + j]);
    sum += get(bias[j]);
    put(&out[INDEX], sum / (1 + expf(-1.702f * sum)));
}

/* Attention of each query to the keys before it (causal), or to all keys. A thread for each query. */
template <int WIDTH>
static __device__ void attend(const __half *q, const __half *k, const __half *v, __half *out, int length, float scale,
                              bool causal)
{
    int query = INDEX % length, head = INDEX / length;
    size_t at = (size_t)head * length * WIDTH;
    float total = 0, sums[WIDTH];
    for (int w = 0; w < WIDTH; w++)
        sums[w] = 0;
    for (int key = 0; key < (causal ? query + 1 : length); key++) {
        float score = 0;
        for (int w = 0; w < WIDTH; w++)
            score += get(q[at + query * WIDTH + w]) * get(k[at + key * WIDTH + w]);
        score = exp2f(score * scale);
        total += score;
        for (int w = 0; w < WIDTH; w++)
            sums[w] += score * get(v[at + key * WIDTH + w]);
    }
    for (int w = 0; w < WIDTH; w++)
        put(&out[at + query * WIDTH + w], sums[w] / total);
}

extern "C" __global__ void attention_causal(const __half *q, const __half *k, const __half *v, __half *out, int length,
                                            float scale)
{
    attend<64>(q, k, v, out, length, scale, true);
}

extern "C" __global__ void attention_full(const __half *q, const __half *k, const __half *v, __half *out, int length,
                                          float scale)
{
    attend<64>(q, k, v, out, length, scale, false);
}

/* A thread for each row. */
#define SOFTMAX(name, T)                                                                                               \
    extern "C" __global__ void name(const T *x, T *out, int rows, int columns)                                         \
    {                                                                                                                  \
        size_t at = (size_t)INDEX * columns;                                                                           \
        float largest = -1e30f, total = 0;                                                                             \
        if (INDEX >= rows)                                                                                             \
            return;                                                                                                    \
        for (int i = 0; i < columns; i++)                                                                              \
            largest = fmaxf(largest, get(x[at + i]));                                                                  \
        for (int i = 0; i < columns; i++)                                                                              \
            total += expf(get(x[at + i]) - largest);                                                                   \
        for (int i = 0; i < columns; i++)                                                                              \
            put(&out[at + i], expf(get(x[at + i]) - largest) / total);                                                 \
    }

SOFTMAX(softmax_float, float)
SOFTMAX(softmax_half, __half)

extern "C" __global__ void layer_norm_bf16(const __nv_bfloat16 *x, const __nv_bfloat16 *weight,
                                           const __nv_bfloat16 *bias, __nv_bfloat16 *out, int rows, int columns,
                                           float epsilon)
{
    size_t at = (size_t)INDEX * columns;
    float mean = 0, variance = 0;
    if (INDEX >= rows)
        return;
    for (int i = 0; i < columns; i++)
        mean += get(x[at + i]);
    mean /= columns;
    for (int i = 0; i < columns; i++)
        variance += (get(x[at + i]) - mean) * (get(x[at + i]) - mean);
    variance = rsqrtf(variance / columns + epsilon);
    for (int i = 0; i < columns; i++)
        put(&out[at + i], (get(x[at + i]) - mean) * variance * get(weight[i]) + get(bias[i]));
}

#define RMS_NORM(name, T, added)                                                                                       \
    extern "C" __global__ void name(const T *x, T *residual, const T *weight, T *out, int rows, int columns,           \
                                    float epsilon)                                                                     \
    {                                                                                                                  \
        size_t at = (size_t)INDEX * columns;                                                                           \
        float total = 0;                                                                                               \
        if (INDEX >= rows)                                                                                             \
            return;                                                                                                    \
        for (int i = 0; i < columns; i++) {                                                                            \
            float value = get(x[at + i]) + (added ? get(residual[at + i]) : 0);                                        \
            total += value * value;                                                                                    \
        }                                                                                                              \
        total = rsqrtf(total / columns + epsilon);                                                                     \
        for (int i = 0; i < columns; i++) {                                                                            \
            float value = get(x[at + i]) + (added ? get(residual[at + i]) : 0);                                        \
            if (added)                                                                                                 \
                put(&residual[at + i], value);                                                                         \
            put(&out[at + i], value * total * get(weight[i]));                                                         \
        }                                                                                                              \
    }

RMS_NORM(rms_norm_half_add, __half, true)
RMS_NORM(rms_norm_bf16, __nv_bfloat16, false)

extern "C" __global__ void rotary_plain(__nv_bfloat16 *x, const float *cosine, const float *sine, const int *positions,
                                        int tokens, int heads)
{
    int half = INDEX % 64, token = INDEX / 64 / heads;
    __nv_bfloat16 *at = x + (size_t)(INDEX / 64) * 128 + half;
    if (token >= tokens)
        return;
    float c = cosine[positions[token] * 64 + half], s = sine[positions[token] * 64 + half];
    float first = get(at[0]), second = get(at[64]);
    put(&at[0], first * c - second * s);
    put(&at[64], second * c + first * s);
}

extern "C" __global__ void matvec_int4_plain(const unsigned *packed, const __half *scales, const __half *x, float *out,
                                             int rows, int k)
{
    float total = 0;
    if (INDEX >= rows)
        return;
    for (int i = 0; i < k; i++) {
        int weight = (int)((packed[INDEX * (size_t)(k / 8) + i / 8] >> (4 * (i % 8))) & 15) - 8;
        total += weight * get(scales[INDEX * (size_t)(k / 128) + i / 128]) * get(x[i]);
    }
    out[INDEX] = total;
}

extern "C" __global__ void cross_entropy_plain(const __nv_bfloat16 *logits, const int *labels, float *losses,
                                               __nv_bfloat16 *gradient, int rows, int columns)
{
    size_t at = (size_t)INDEX * columns;
    float total = 0;
    if (INDEX >= rows)
        return;
    for (int i = 0; i < columns; i++)
        total += expf(get(logits[at + i]));
    losses[INDEX] = logf(total) - get(logits[at + labels[INDEX]]);
    for (int i = 0; i < columns; i++)
        put(&gradient[at + i], expf(get(logits[at + i])) / total - (i == labels[INDEX]));
}

extern "C" __global__ void linear_scan_plain(const float *decay, const float *drive, float *out, int rows, int length)
{
    float state = 0;
    if (INDEX >= rows)
        return;
    for (int i = 0; i < length; i++) {
        state = decay[INDEX * (size_t)length + i] * state + drive[INDEX * (size_t)length + i];
        out[INDEX * (size_t)length + i] = state;
    }
}

extern "C" __global__ void histogram_plain(const unsigned char *values, int *counts, int n)
{
    if (INDEX < n)
        atomicAdd(&counts[values[INDEX]], 1);
}

extern "C" __global__ void scores_plain(const __half *q, const __half *keys, __half *out, int length, float scale,
                                        float slope)
{
    int key = INDEX % length, query = INDEX / length;
    size_t head = (size_t)blockIdx.y * length;
    float sum = 0;
    for (int l = 0; l < 64; l++)
        sum += get(q[(head + query) * 64 + l]) * get(keys[(head + key) * 64 + l]);
    put(&out[(head + query) * length + key], sum * scale - slope * abs(query - key));
}

extern "C" __global__ void transpose_plain(const float *in, float *out, int rows, int columns)
{
    out[(size_t)(INDEX % columns) * rows + INDEX / columns] = in[INDEX];
}

extern "C" __global__ void stencil_plain(const float *in, float *out, int nx, int ny, int nz, float center, float side)
{
    int x = INDEX % nx, y = INDEX / nx % ny, z = INDEX / nx / ny;
    size_t row = nx + 8, plane = row * (ny + 2), at = (z + 1) * plane + (y + 1) * row + x + 4;
    if (z < nz)
        out[at] = center * in[at] + side * (in[at - 1] + in[at + 1] + in[at - row] + in[at + row] + in[at - plane] +
                                            in[at + plane]);
}

extern "C" __global__ void squares_plain(const float *x, float *out, int rows, int columns)
{
    float sum = 0;
    if (INDEX >= rows)
        return;
    for (int i = 0; i < columns; i++)
        sum += x[INDEX * (size_t)columns + i] * x[INDEX * (size_t)columns + i];
    out[INDEX] = sum;
}

extern "C" __global__ void conv3x3_plain(const __half *in, const __half *weight, __half *out, int height, int width,
                                         int channels)
{
    int to = INDEX % 64, x = INDEX / 64 % width, y = INDEX / 64 / width % height, image = INDEX / 64 / width / height;
    float sum = 0;
    for (int tap = 0; tap < 9; tap++) {
        int from_x = x + tap % 3 - 1, from_y = y + tap / 3 - 1;
        if (from_x >= 0 && from_x < width && from_y >= 0 && from_y < height)
            for (int i = 0; i < channels; i++)
                sum += get(in[(((size_t)image * height + from_y) * width + from_x) * channels + i]) *
                       get(weight[(tap * channels + i) * 64 + to]);
    }
    put(&out[INDEX], fmaxf(sum, 0));
}

extern "C" __global__ void gelu_plain(const __half *x, const __half *bias, __half *out, int columns, int n)
{
    float s = get(x[INDEX]) + get(bias[INDEX % columns]);
    put(&out[INDEX], 0.5f * s * (1 + tanhf(s * (0.0356774f * s * s + 0.7978846f))));
}

extern "C" __global__ void rotary_pairs_plain(const __nv_bfloat16 *x, __nv_bfloat16 *out, int heads, int tokens,
                                              float base)
{
    int pair = INDEX % 64, token = INDEX / 64 / heads;
    double angle = (double)(token * exp2f(base * pair));
    float c = cos(angle), s = sin(angle), first = get(x[2 * INDEX]), second = get(x[2 * INDEX + 1]);
    put(&out[2 * INDEX], first * c - second * s);
    put(&out[2 * INDEX + 1], first * s + second * c);
}

extern "C" __global__ void matvec_int8_plain(const signed char *weights, const signed char *x, const float *scales,
                                             float *out, int rows, int k)
{
    int sum = 0;
    if (INDEX >= rows)
        return;
    for (int i = 0; i < k; i++)
        sum += weights[INDEX * (size_t)k + i] * x[i];
    out[INDEX] = sum * scales[INDEX];
}

/* One thread. */
extern "C" __global__ void scan_plain(const int *in, int *out, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        out[i] = sum += in[i];
}

/* One thread. */
extern "C" __global__ void copy_above_plain(const float *in, float *out, float limit, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (in[i] > limit)
            out[count++] = in[i];
}

/* The number of smaller elements of the tile, and of equal ones before, is an element's place. */
extern "C" __global__ void sort_tiles_plain(const unsigned *in, unsigned *out, int tile)
{
    unsigned first = INDEX / tile * tile, place = 0;
    for (unsigned i = first; i < first + tile; i++)
        place += in[i] < in[INDEX] || (in[i] == in[INDEX] && i < INDEX);
    out[first + place] = in[INDEX];
}

extern "C" __global__ void top_plain(const float *in, float *values, int *places)
{
    unsigned first = INDEX / 2048 * 2048, place = 0;
    for (unsigned i = first; i < first + 2048; i++)
        place += in[i] > in[INDEX] || (in[i] == in[INDEX] && i < INDEX);
    if (place < 32) {
        values[first / 64 + place] = in[INDEX];
        places[first / 64 + place] = INDEX - first;
    }
}

extern "C" __global__ void sum_plain(const float *in, float *out, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[i];
    *out = sum;
}

extern "C" __global__ void spmv_plain(const int *starts, const int *columns, const float *values, const float *x,
                                      float *y, int rows)
{
    float sum = 0;
    if (INDEX >= rows)
        return;
    for (int i = starts[INDEX]; i < starts[INDEX + 1]; i++)
        sum += values[i] * x[columns[i]];
    y[INDEX] = sum;
}

extern "C" __global__ void segments_plain(const int *keys, const float *values, float *sums)
{
    atomicAdd(&sums[keys[INDEX]], values[INDEX]);
}
