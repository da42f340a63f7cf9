/* Loads, stores and atomics of parts of L2 sectors on an NVIDIA GPU, to find out with a profiler how
 * many bytes L2 reads from and writes to DRAM for them:
 *
 *     nvcc -O3 -arch=sm_90 -o l2_partial tests/bench/l2_partial.cu
 *     ncu --csv --metrics dram__bytes_read.sum,dram__bytes_write.sum ./l2_partial
 *
 * The launches are those of main, in this order. They access a table of 1 GiB.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cstdint>
#include <cstdio>

#include <cuda_runtime.h>

enum { GROUP = 256, TABLE_BITS = 28 /* log2 of the table's 4-byte words */ };

/* Returns element x of a pseudorandom permutation of 0 to 2^bits - 1. */
__device__ uint32_t permute(uint32_t x, int bits)
{
    const uint32_t mask = (1u << bits) - 1;

    for (int round = 0; round < 3; round++) {
        x = (x * 0x9E3779B1u) & mask;
        x ^= x >> (bits / 2);
        x = (x * 0x85EBCA6Bu) & mask;
        x ^= x >> (bits / 2 + 1);
    }
    return x & mask;
}

__device__ uint32_t item()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* Each work-item stores one T, in random order. every: distance of neighbouring parts in words. */
template <typename T> __global__ void store_parts(uint32_t *table, int bits, uint32_t every)
{
    *(T *)(table + (size_t)permute(item(), bits) * every) = T();
}

/* Eight work-items store a sector of 32 bytes; the sectors are in random order. */
__global__ void store_sectors(uint32_t *table, int bits, uint32_t every)
{
    table[(size_t)permute(item() / 8, bits) * every + item() % 8] = item();
}

__global__ void load_parts(const uint32_t *table, uint32_t *out, int bits, uint32_t every)
{
    if (table[(size_t)permute(item(), bits) * every] == 12345)
        out[0] = item();
}

__global__ void add_parts(uint32_t *table, int bits, uint32_t every)
{
    atomicAdd(&table[(size_t)permute(item(), bits) * every], 1);
}

__global__ void update_parts(uint32_t *table, int bits, uint32_t every)
{
    table[(size_t)permute(item(), bits) * every] += 1;
}

/* Each work-item loads one word; the words are in ascending order. */
__global__ void load_in_order(const uint32_t *table, uint32_t *out, uint32_t every)
{
    if (table[(size_t)item() * every] == 12345)
        out[0] = item();
}

static unsigned groups(int bits)
{
    return (1u << bits) / GROUP;
}

int main()
{
    uint32_t *table, *out;

    if (cudaMalloc(&table, (size_t)4 << TABLE_BITS) != cudaSuccess ||
        cudaMalloc(&out, sizeof *out) != cudaSuccess ||
        cudaMemset(table, 0, (size_t)4 << TABLE_BITS) != cudaSuccess) {
        fprintf(stderr, "l2_partial: no memory for a table of 1 GiB\n");
        return 1;
    }
    store_parts<uint32_t><<<groups(25), GROUP>>>(table, 25, 8);  /* 4 bytes of each sector */
    store_parts<uint32_t><<<groups(24), GROUP>>>(table, 24, 16); /* 4 bytes of each 64 */
    store_parts<uint4><<<groups(25), GROUP>>>(table, 25, 8);     /* half of each sector */
    store_parts<uint4><<<groups(26), GROUP>>>(table, 26, 4);     /* both halves of each sector */
    store_parts<uint32_t><<<groups(28), GROUP>>>(table, 28, 1);  /* eight parts of each sector */
    store_sectors<<<groups(28), GROUP>>>(table, 25, 8);          /* whole sectors */
    load_parts<<<groups(25), GROUP>>>(table, out, 25, 8);        /* 4 bytes of each sector */
    load_parts<<<groups(24), GROUP>>>(table, out, 24, 16);       /* 4 bytes of each 64 */
    add_parts<<<groups(25), GROUP>>>(table, 25, 8);
    add_parts<<<groups(24), GROUP>>>(table, 24, 16);
    update_parts<<<groups(25), GROUP>>>(table, 25, 8);
    load_in_order<<<groups(25), GROUP>>>(table, out, 8);  /* 4 bytes of each sector */
    load_in_order<<<groups(24), GROUP>>>(table, out, 16); /* 4 bytes of each 64 */
    load_in_order<<<groups(23), GROUP>>>(table, out, 32); /* 4 bytes of each 128 */

    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "l2_partial: a launch failed: %s\n", cudaGetErrorString(error));
        return 1;
    }
    return 0;
}
