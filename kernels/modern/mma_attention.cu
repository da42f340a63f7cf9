/* Attention with 64 elements a head by mma.sync: a warp has 16 queries, a block 64, and 64 keys at a time are copied to
 * shared memory while the block works on those before.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "async_copy.cuh"

#include <cuda_fp16.h>

#define WIDTH 64
#define KEYS 64
#define STRIDE (WIDTH + 8)

static __device__ unsigned pack(float x, float y)
{
    __half2 pair = __floats2half2_rn(x, y);
    return *(unsigned *)&pair;
}

/* Copies 64 rows of a head. */
static __device__ void fetch(__half (*to)[STRIDE], const __half *from)
{
    for (int i = threadIdx.x; i < 64 * WIDTH / 8; i += 128)
        copy16(&to[i / 8][i % 8 * 8], &from[i * 8]);
}

extern "C" __global__ void __launch_bounds__(128)
    attention_mma(const __half *q, const __half *k, const __half *v, __half *out, int length, float scale)
{
    __shared__ __align__(16) __half keys[2][KEYS][STRIDE], values[2][KEYS][STRIDE];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t head = (size_t)blockIdx.y * length * WIDTH, first = head + (size_t)blockIdx.x * 64 * WIDTH;
    float sums[WIDTH / 8][4] = {}, largest[2] = {-1e30f, -1e30f}, total[2] = {};
    unsigned queries[WIDTH / 16][4];

    fetch(keys[1], q + first);
    end_group();
    wait_groups<0>();
    __syncthreads();
    for (int l = 0; l < WIDTH / 16; l++)
        load_matrices(queries[l], &keys[1][warp * 16 + lane % 16][16 * l + lane / 16 * 8]);
    __syncthreads();
    fetch(keys[0], k + head);
    fetch(values[0], v + head);
    end_group();
    for (int step = 0; step < length / KEYS; step++) {
        const int now = step % 2;
        float scores[KEYS / 8][4] = {};
        if (step + 1 < length / KEYS) {
            fetch(keys[1 - now], k + head + (size_t)(step + 1) * KEYS * WIDTH);
            fetch(values[1 - now], v + head + (size_t)(step + 1) * KEYS * WIDTH);
        }
        end_group();
        wait_groups<1>();
        __syncthreads();
#pragma unroll
        for (int l = 0; l < WIDTH / 16; l++)
#pragma unroll
            for (int j = 0; j < KEYS / 16; j++) {
                unsigned b[4];
                load_matrices(b, &keys[now][16 * j + lane % 8 + lane / 16 * 8][16 * l + lane / 8 % 2 * 8]);
                mma_f16(scores[2 * j], queries[l], b[0], b[1]);
                mma_f16(scores[2 * j + 1], queries[l], b[2], b[3]);
            }
#pragma unroll
        for (int r = 0; r < 2; r++) {
            float above = largest[r], shrink;
            for (int j = 0; j < KEYS / 8; j++)
                above = fmaxf(above, scale * fmaxf(scores[j][2 * r], scores[j][2 * r + 1]));
            above = fmaxf(above, __shfl_xor_sync(~0u, above, 1));
            above = fmaxf(above, __shfl_xor_sync(~0u, above, 2));
            shrink = exp2f(largest[r] - above);
            largest[r] = above;
            total[r] *= shrink;
            for (int j = 0; j < KEYS / 8; j++)
                for (int e = 2 * r; e < 2 * r + 2; e++) {
                    scores[j][e] = exp2f(scores[j][e] * scale - above);
                    total[r] += scores[j][e];
                }
            for (int j = 0; j < WIDTH / 8; j++) {
                sums[j][2 * r] *= shrink;
                sums[j][2 * r + 1] *= shrink;
            }
        }
#pragma unroll
        for (int l = 0; l < KEYS / 16; l++) {
            const unsigned weights[4] = {pack(scores[2 * l][0], scores[2 * l][1]), pack(scores[2 * l][2], scores[2 * l][3]),
                                         pack(scores[2 * l + 1][0], scores[2 * l + 1][1]),
                                         pack(scores[2 * l + 1][2], scores[2 * l + 1][3])};
#pragma unroll
            for (int j = 0; j < WIDTH / 16; j++) {
                unsigned b[4];
                load_transposed(b, &values[now][16 * l + lane % 16][16 * j + lane / 16 * 8]);
                mma_f16(sums[2 * j], weights, b[0], b[1]);
                mma_f16(sums[2 * j + 1], weights, b[2], b[3]);
            }
        }
        __syncthreads();
    }
    for (int r = 0; r < 2; r++) {
        float all = total[r] + __shfl_xor_sync(~0u, total[r], 1);
        all += __shfl_xor_sync(~0u, all, 2);
        for (int j = 0; j < WIDTH / 8; j++)
            *(__half2 *)&out[first + (warp * 16 + lane / 4 + 8 * r) * WIDTH + 8 * j + lane % 4 * 2] =
                __floats2half2_rn(sums[j][2 * r] / all, sums[j][2 * r + 1] / all);
    }
}
