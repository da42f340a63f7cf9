/* What the threads of a warp exchange; what each part should give stands in test_trace_cuda.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

#define ALL 0xffffffffu

__global__ void exchange(const unsigned *in, unsigned *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    const unsigned v = in[i];
    unsigned part = 77;
    double wide = (double)v;

    out[0 * n + i] = __shfl_sync(ALL, v, lane * 7, 16);
    out[1 * n + i] = __shfl_up_sync(ALL, v, 3, 8);
    out[2 * n + i] = __shfl_down_sync(ALL, v, 5);
    out[3 * n + i] = __shfl_xor_sync(ALL, v, 12);
    out[4 * n + i] = (unsigned)__shfl_xor_sync(ALL, wide, 1);
    out[5 * n + i] = __ballot_sync(ALL, v % 3 == 0);
    out[6 * n + i] = __match_any_sync(ALL, v % 5);
    out[7 * n + i] = __reduce_max_sync(ALL, v);
    out[8 * n + i] = __reduce_add_sync(ALL, v);
    if (lane % 3 == 1)
        part = __popc(__activemask()) + 100 * __reduce_min_sync(__activemask(), v % 1000);
    out[9 * n + i] = part;
    out[10 * n + i] = __any_sync(ALL, v % 64 == 0) + 2 * __all_sync(ALL, v % 2 == 0 || lane != 9);
    for (int step = 16; step > 0; step /= 2)
        part += __shfl_down_sync(ALL, part, step);
    out[11 * n + i] = part;
}

/* Threads of a warp pass values on through shared memory. */
__global__ void hand_on(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned place[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    place[threadIdx.x] = in[i];
    __syncwarp();
    out[i] = place[threadIdx.x ^ 31];
}

/* Sums over tiles of 8 threads, and over the warp with 16-bit numbers. */
__global__ void tiles(const unsigned *in, unsigned *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const unsigned sum = cg::reduce(tile, in[i], cg::plus<unsigned>());
    const __half small = __float2half((float)(in[i] % 64));

    out[i] = 1000 * sum + 10 * (unsigned)__half2float(__hfma(small, small, small)) +
             (tile.thread_rank() == 0 ? 1 : 0) + (tile.any(in[i] % 8 == 0) ? 2 : 0);
}
