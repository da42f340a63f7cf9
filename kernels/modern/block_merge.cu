/* Merges, sorts of segments, run lengths, bags of embeddings and gates of experts, by CUB and cooperative groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_scan.cuh>
#include <cuda_bf16.h>

namespace cg = cooperative_groups;

/* Returns how many of the first `diagonal` merged elements are of a. */
static __device__ int merge_path(const int *a, int a_count, const int *b, int b_count, int diagonal)
{
    int low = max(0, diagonal - b_count), high = min(diagonal, a_count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Merges two sorted arrays of n elements: a block has 1024 elements of the result in shared memory, a thread four. */
extern "C" __global__ void __launch_bounds__(256) merge_sorted(const int *a, const int *b, int *out, int n)
{
    __shared__ int items[1024], starts[2];
    const int first = blockIdx.x * 1024;
    if (threadIdx.x < 2)
        starts[threadIdx.x] = merge_path(a, n, b, n, first + threadIdx.x * 1024);
    __syncthreads();
    const int a_first = starts[0], a_count = starts[1] - a_first, b_first = first - a_first, b_count = 1024 - a_count;
    for (int i = threadIdx.x; i < 1024; i += 256)
        items[i] = i < a_count ? a[a_first + i] : b[b_first + i - a_count];
    __syncthreads();
    const int diagonal = threadIdx.x * 4;
    int i = merge_path(items, a_count, items + a_count, b_count, diagonal), j = diagonal - i;
    int4 merged;
    int *to = (int *)&merged;
    for (int e = 0; e < 4; e++) {
        bool left = j >= b_count || (i < a_count && items[i] <= items[a_count + j]);
        to[e] = left ? items[i++] : items[a_count + j++];
    }
    *(int4 *)&out[first + diagonal] = merged;
}

struct smaller {
    __device__ bool operator()(float x, float y) const { return x < y; }
};

/* Sorts segments of up to 1024 floats, whose lengths differ. */
extern "C" __global__ void __launch_bounds__(128) sort_segments(const int *starts, const float *in, float *out)
{
    typedef cub::BlockMergeSort<float, 128, 8> sort;
    __shared__ sort::TempStorage storage;
    __shared__ float sorted[1024];
    const int first = starts[blockIdx.x], count = starts[blockIdx.x + 1] - first;
    float items[8];
    for (int i = 0; i < 8; i++)
        items[i] = threadIdx.x * 8 + i < count ? in[first + threadIdx.x * 8 + i] : 3e38f;
    sort(storage).Sort(items, smaller(), count, 3e38f);
    for (int i = 0; i < 8; i++)
        sorted[threadIdx.x * 8 + i] = items[i];
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += 128)
        out[first + i] = sorted[i];
}

/* Starts of runs of equal keys in each tile of 1024, and their number. */
extern "C" __global__ void __launch_bounds__(256) find_runs(const int *keys, int *places, int *counts)
{
    typedef cub::BlockDiscontinuity<int, 256> heads;
    typedef cub::BlockScan<int, 256> scan;
    __shared__ heads::TempStorage storage;
    __shared__ scan::TempStorage scanning;
    int items[4], flags[4], ranks[4], all;
    *(int4 *)items = *(const int4 *)&keys[(size_t)blockIdx.x * 1024 + threadIdx.x * 4];
    heads(storage).FlagHeads(flags, items, cuda::std::not_equal_to<int>());
    scan(scanning).ExclusiveSum(flags, ranks, all);
    for (int i = 0; i < 4; i++)
        if (flags[i])
            places[(size_t)blockIdx.x * 1024 + ranks[i]] = threadIdx.x * 4 + i;
    if (threadIdx.x == 0)
        counts[blockIdx.x] = all;
}

/* Mean of 32 rows of a bfloat16 table, a warp for each bag and 128 columns. */
extern "C" __global__ void __launch_bounds__(128)
    mean_of_bag(const int *rows, const __nv_bfloat16 *table, __nv_bfloat16 *out, int columns)
{
    const int lane = threadIdx.x % 32, column = threadIdx.x / 32 * 128 + blockIdx.y * 512 + lane * 4;
    const int mine = rows[blockIdx.x * 32 + lane];
    float sums[4] = {};
    for (int i = 0; i < 32; i++) {
        int row = __shfl_sync(~0u, mine, i);
        int2 bits = *(const int2 *)&table[(size_t)row * columns + column];
        float2 x = __bfloat1622float2(*(__nv_bfloat162 *)&bits.x), y = __bfloat1622float2(*(__nv_bfloat162 *)&bits.y);
        sums[0] += x.x;
        sums[1] += x.y;
        sums[2] += y.x;
        sums[3] += y.y;
    }
    __nv_bfloat162 pairs[2] = {__floats2bfloat162_rn(sums[0] / 32, sums[1] / 32),
                               __floats2bfloat162_rn(sums[2] / 32, sums[3] / 32)};
    *(int2 *)&out[(size_t)blockIdx.x * columns + column] = *(int2 *)pairs;
}

/* The two best of 64 experts for each token and their weights, a warp for each token; counts tokens of each expert. */
extern "C" __global__ void __launch_bounds__(128)
    choose_experts(const float *scores, int *experts, float *weights, int *loads, int tokens)
{
    __shared__ int counts[64];
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    if (threadIdx.x < 64)
        counts[threadIdx.x] = 0;
    __syncthreads();
    for (int token = blockIdx.x * 4 + warp.meta_group_rank(); token < tokens; token += gridDim.x * 4) {
        float2 mine = *(const float2 *)&scores[(size_t)token * 64 + warp.thread_rank() * 2];
        float best[2];
        int which[2];
        for (int e = 0; e < 2; e++) {
            best[e] = cg::reduce(warp, fmaxf(mine.x, mine.y), cg::greater<float>());
            unsigned first = __ballot_sync(~0u, mine.x == best[e]), second = __ballot_sync(~0u, mine.y == best[e]);
            int at = __ffs(first | second) - 1;
            which[e] = 2 * at + !(first >> at & 1);
            if ((int)warp.thread_rank() == at)
                *(which[e] % 2 ? &mine.y : &mine.x) = -3e38f;
        }
        if (warp.thread_rank() < 2) {
            float share = 1 / (1 + __expf(best[1] - best[0]));
            experts[token * 2 + warp.thread_rank()] = which[warp.thread_rank()];
            weights[token * 2 + warp.thread_rank()] = warp.thread_rank() ? 1 - share : share;
            atomicAdd(&counts[which[warp.thread_rank()]], 1);
        }
    }
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&loads[threadIdx.x], counts[threadIdx.x]);
}
