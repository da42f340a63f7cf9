/* Measures the time of random reads of tables of 4 MiB to 1 GiB on an NVIDIA GPU, to find out how
 * many bytes a miss of L2 fetches and how L2 allocates them. Prints one row for each kind of table
 * and each size:
 *
 *     nvcc -O3 -arch=sm_90 -o l2_reads tests/bench/l2_reads.cu && ./l2_reads
 *
 * kind 0: one 32-byte sector of each 128-byte line is read. kind 1: any of the four sectors of a
 * line. kind 2: the first sector of each 64 bytes. kind 3: any sector. The time is the shortest of
 * three runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cstdio>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error = (call);                                                          \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "l2_reads: %s: %s\n", #call, cudaGetErrorString(error));               \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

/* Number of work-items, and reads of each of them. */
enum { ITEMS = 1 << 22, READS = 32 };
static const size_t MOST_BYTES = (size_t)1 << 30;

/* What is read of a table: units of `words` words. sectors: number of sectors of a unit, of which
 * one is chosen at random. */
struct pattern {
    unsigned words, sectors;
};

__device__ unsigned scramble(unsigned x)
{
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

__global__ void gather(const unsigned *table, unsigned *out, unsigned units, pattern p,
                       unsigned seed)
{
    const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;

#pragma unroll 8
    for (unsigned k = 0; k < READS; k++) {
        const unsigned random = scramble(item * READS + k + seed);
        const size_t unit = (unsigned long long)random * units >> 32;

        sum += __ldcg(table + unit * p.words + scramble(random) % p.sectors * 8);
    }
    if (sum == 12345)
        out[item] = sum;
}

static float measure(const unsigned *table, unsigned *out, unsigned units, pattern p)
{
    cudaEvent_t begin, end;
    float best = 1e9F, ms = 0;

    if (cudaEventCreate(&begin) != cudaSuccess || cudaEventCreate(&end) != cudaSuccess)
        return -1;
    for (unsigned run = 0; run < 4; run++) {
        cudaEventRecord(begin);
        gather<<<ITEMS / 256, 256>>>(table, out, units, p, run * 7919);
        cudaEventRecord(end);
        if (cudaEventSynchronize(end) != cudaSuccess ||
            cudaEventElapsedTime(&ms, begin, end) != cudaSuccess)
            return -1;
        if (run > 0 && ms < best)
            best = ms;
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return best;
}

int main(void)
{
    static const pattern PATTERNS[] = {{32, 1}, {32, 4}, {16, 1}, {8, 1}};
    unsigned *table, *out;

    CHECK(cudaMalloc(&table, MOST_BYTES));
    CHECK(cudaMalloc(&out, ITEMS * sizeof *out));
    CHECK(cudaMemset(table, 0, MOST_BYTES));
    printf("kind,table_mib,ns_per_1000_reads\n");
    for (unsigned kind = 0; kind < 4; kind++)
        for (double mib = 4; mib <= 1024; mib *= 1.4142135623730951) {
            const unsigned units = (unsigned)(mib * 1048576 / (PATTERNS[kind].words * 4));
            const float ms = measure(table, out, units, PATTERNS[kind]);

            if (ms < 0) {
                fprintf(stderr, "l2_reads: a launch failed: %s\n",
                        cudaGetErrorString(cudaGetLastError()));
                return 1;
            }
            printf("%u,%.2f,%.4f\n", kind, mib, ms * 1e6 / ((double)ITEMS * READS) * 1000);
        }
    return 0;
}
