/* Scans, sorts, histograms, selections and sums by the primitives of CUB for blocks and warps, and by cooperative groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

namespace cg = cooperative_groups;

#define ITEMS 8
#define TILE (256 * ITEMS)

/* ---- prefix sums, and compaction, by three launches each ---- */

extern "C" __global__ void __launch_bounds__(256) sum_tiles(const int *in, int *sums)
{
    typedef cub::BlockLoad<int, 256, ITEMS, cub::BLOCK_LOAD_VECTORIZE> load;
    typedef cub::BlockReduce<int, 256> reduce;
    __shared__ reduce::TempStorage storage;
    int items[ITEMS];
    load().Load(in + (size_t)blockIdx.x * TILE, items);
    int sum = reduce(storage).Sum(items);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* Exclusive prefix sums of n numbers by one block. */
extern "C" __global__ void __launch_bounds__(1024) scan_sums(int *sums, int n)
{
    typedef cub::BlockScan<int, 1024> scan;
    __shared__ scan::TempStorage storage;
    int before = 0;
    for (int first = 0; first < n; first += 1024) {
        int i = first + threadIdx.x, value = i < n ? sums[i] : 0, all;
        scan(storage).ExclusiveSum(value, value, all);
        if (i < n)
            sums[i] = before + value;
        before += all;
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(256) scan_tiles(const int *in, const int *sums, int *out)
{
    typedef cub::BlockLoad<int, 256, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE> load;
    typedef cub::BlockStore<int, 256, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE> store;
    typedef cub::BlockScan<int, 256, cub::BLOCK_SCAN_WARP_SCANS> scan;
    __shared__ union {
        load::TempStorage load;
        store::TempStorage store;
        scan::TempStorage scan;
    } storage;
    int items[ITEMS];
    load(storage.load).Load(in + (size_t)blockIdx.x * TILE, items);
    __syncthreads();
    scan(storage.scan).InclusiveSum(items, items);
    __syncthreads();
    for (int i = 0; i < ITEMS; i++)
        items[i] += sums[blockIdx.x];
    store(storage.store).Store(out + (size_t)blockIdx.x * TILE, items);
}

extern "C" __global__ void __launch_bounds__(256) count_above(const float *in, int *counts, float limit)
{
    int count = 0;
    for (int i = 0; i < ITEMS; i++)
        count += __syncthreads_count(in[(size_t)blockIdx.x * TILE + i * 256 + threadIdx.x] > limit);
    if (threadIdx.x == 0)
        counts[blockIdx.x] = count;
}

extern "C" __global__ void __launch_bounds__(256)
    copy_above(const float *in, const int *starts, float *out, float limit)
{
    typedef cub::BlockScan<int, 256> scan;
    __shared__ scan::TempStorage storage;
    __shared__ float chosen[TILE];
    float items[ITEMS];
    int flags[ITEMS], ranks[ITEMS], all;
    for (int i = 0; i < ITEMS; i++) {
        items[i] = in[(size_t)blockIdx.x * TILE + threadIdx.x * ITEMS + i];
        flags[i] = items[i] > limit;
    }
    scan(storage).ExclusiveSum(flags, ranks, all);
    for (int i = 0; i < ITEMS; i++)
        if (flags[i])
            chosen[ranks[i]] = items[i];
    __syncthreads();
    for (int i = threadIdx.x; i < all; i += 256)
        out[starts[blockIdx.x] + i] = chosen[i];
}

/* ---- sorting ---- */

extern "C" __global__ void __launch_bounds__(256) sort_tiles(const unsigned *in, unsigned *out)
{
    typedef cub::BlockLoad<unsigned, 256, ITEMS, cub::BLOCK_LOAD_TRANSPOSE> load;
    typedef cub::BlockRadixSort<unsigned, 256, ITEMS> sort;
    __shared__ union {
        load::TempStorage load;
        sort::TempStorage sort;
    } storage;
    unsigned keys[ITEMS];
    load(storage.load).Load(in + (size_t)blockIdx.x * TILE, keys);
    __syncthreads();
    sort(storage.sort).SortBlockedToStriped(keys);
    cub::StoreDirectStriped<256>(threadIdx.x, out + (size_t)blockIdx.x * TILE, keys);
}

/* The largest 32 of 2048 values of a row, with their places. */
extern "C" __global__ void __launch_bounds__(256) top_of_rows(const float *in, float *values, int *places)
{
    typedef cub::BlockRadixSort<float, 256, ITEMS, int> sort;
    __shared__ sort::TempStorage storage;
    float keys[ITEMS];
    int items[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        items[i] = i * 256 + threadIdx.x;
        keys[i] = in[(size_t)blockIdx.x * TILE + items[i]];
    }
    sort(storage).SortDescendingBlockedToStriped(keys, items);
    if (threadIdx.x < 32) {
        values[blockIdx.x * 32 + threadIdx.x] = keys[0];
        places[blockIdx.x * 32 + threadIdx.x] = items[0];
    }
}

/* ---- histograms and sums ---- */

extern "C" __global__ void __launch_bounds__(256)
    count_bytes(const unsigned *in, int *counts, int words)
{
    typedef cub::BlockHistogram<unsigned char, 256, 4, 256, cub::BLOCK_HISTO_ATOMIC> histogram;
    __shared__ histogram::TempStorage storage;
    __shared__ int bins[256];
    histogram(storage).InitHistogram(bins);
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < words; i += gridDim.x * 256) {
        unsigned word = in[i];
        unsigned char items[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                  (unsigned char)(word >> 24)};
        histogram(storage).Composite(items, bins);
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

extern "C" __global__ void __launch_bounds__(512) sum_groups(const float4 *in, float *out, int n)
{
    __shared__ float parts[16];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    float sum = 0;
    for (unsigned i = cg::this_grid().thread_rank(); i < n; i += cg::this_grid().size()) {
        float4 v = in[i];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0)
        parts[warp.meta_group_rank()] = sum;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        sum = warp.thread_rank() < 16 ? parts[warp.thread_rank()] : 0;
        sum = cg::reduce(warp, sum, cg::plus<float>());
        if (warp.thread_rank() == 0)
            atomicAdd(out, sum);
    }
}

/* Product of a sparse matrix by rows and a vector, eight threads for each row. */
extern "C" __global__ void __launch_bounds__(128)
    spmv_groups(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows)
{
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int row = blockIdx.x * 16 + threadIdx.x / 8;
    if (row >= rows)
        return;
    float sum = 0;
    for (int i = starts[row] + tile.thread_rank(); i < starts[row + 1]; i += 8)
        sum += values[i] * __ldg(&x[columns[i]]);
    sum = cg::reduce(tile, sum, cg::plus<float>());
    if (tile.thread_rank() == 0)
        y[row] = sum;
}

struct segment {
    int key;
    float sum;
};

struct add_same {
    __device__ segment operator()(const segment &a, const segment &b) const
    {
        segment both = {b.key, a.key == b.key ? a.sum + b.sum : b.sum};
        return both;
    }
};

/* Sums of values with equal keys, which are sorted: a scan of pairs in each block, and an atomic at each segment's end. */
extern "C" __global__ void __launch_bounds__(256) sum_segments(const int *keys, const float *values, float *sums)
{
    typedef cub::BlockScan<segment, 256> scan;
    __shared__ scan::TempStorage storage;
    segment items[4];
    const size_t at = (size_t)blockIdx.x * 1024 + threadIdx.x * 4;
    int4 k = *(const int4 *)&keys[at];
    float4 v = *(const float4 *)&values[at];
    items[0] = {k.x, v.x};
    items[1] = {k.y, v.y};
    items[2] = {k.z, v.z};
    items[3] = {k.w, v.w};
    scan(storage).InclusiveScan(items, items, add_same());
    for (int i = 0; i < 4; i++) {
        bool last = i == 3 && threadIdx.x == 255;
        int next = i < 3 ? items[i + 1].key : last ? -1 : keys[at + 4];
        if (next != items[i].key)
            atomicAdd(&sums[items[i].key], items[i].sum);
    }
}
