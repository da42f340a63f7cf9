/* Measures how fast a GPU reads and changes chunks of memory at random addresses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: nvcc -O3 -arch=sm_90 -o random_chunks random_chunks.cu && ./random_chunks >random_chunks.csv
 * Adjacent threads share a chunk and access 16 bytes of it each (8 bytes in chunks of 8 bytes). The chunks are
 * aligned to their size. Columns: what is done, size of the table in GiB, bytes of a chunk, chunks per second, and
 * bytes of the chunks per second. Rows "stride" read 8 bytes of each chunk, in order. The time is the shortest of five runs.
 * "add" loads a number and stores the number plus one.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

enum Access { READ, WRITE, ADD };

static __device__ uint64_t hash_of(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

template <int ACCESS, typename T>
static __global__ void access_chunks(T *table, uint64_t mask, unsigned threads_of_chunk, unsigned times, uint64_t *sink)
{
    const uint64_t thread = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    const unsigned shift = __ffs(threads_of_chunk) - 1; /* sizes are powers of two */
    const uint64_t chunk = thread >> shift, part = thread & (threads_of_chunk - 1);
    const uint64_t all = gridDim.x * (uint64_t)blockDim.x >> shift;
    uint64_t sum = 0;

    for (unsigned i = 0; i < times; i++) {
        T *at = table + (hash_of(chunk + i * all + 1) & mask) * threads_of_chunk + part;

        if (ACCESS == READ) {
            sum += at->x;
        } else if (ACCESS == WRITE) {
            T value = {};
            value.x = i;
            *at = value;
        } else {
            T value = *at;
            value.x += 1;
            *at = value;
        }
    }
    if (sum == 0x123456789abcdef0u)
        *sink = sum;
}

/* Reads 8 bytes of each `stride` bytes, in ascending order of the threads. */
static __global__ void read_strided(const uint64_t *table, uint64_t mask, uint64_t stride, unsigned times, uint64_t *sink)
{
    const uint64_t thread = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
    const uint64_t all = gridDim.x * (uint64_t)blockDim.x;
    uint64_t sum = 0;

    for (unsigned i = 0; i < times; i++)
        sum += table[(thread + i * all) * (stride / 8) & mask];
    if (sum == 0x123456789abcdef0u)
        *sink = sum;
}

static void check(cudaError_t code)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(code));
        exit(1);
    }
}

struct alignas(8) Eight {
    uint64_t x;
};

template <int ACCESS, typename T> static void measure(const char *name, void *table, uint64_t gib, unsigned bytes, uint64_t *sink)
{
    const unsigned block = 1024, blocks = 2048, threads = bytes / sizeof(T), times = 32;
    const uint64_t chunks = (gib << 30) / bytes, accesses = (uint64_t)block * blocks / threads * times;
    cudaEvent_t begin, end;
    float best = 0, ms;

    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    for (int run = 0; run < 5; run++) {
        check(cudaEventRecord(begin));
        access_chunks<ACCESS, T><<<blocks, block>>>((T *)table, chunks - 1, threads, times, sink);
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&ms, begin, end));
        best = run == 0 || ms < best ? ms : best;
    }
    printf("%s,%llu,%u,%.4g,%.4g\n", name, (unsigned long long)gib, bytes, accesses / (best * 1e-3),
           accesses * (double)bytes / (best * 1e-3));
}

static void measure_stride(const void *table, uint64_t gib, unsigned stride, uint64_t *sink)
{
    const unsigned block = 1024, blocks = 2048, times = 16;
    const uint64_t accesses = (uint64_t)block * blocks * times;
    cudaEvent_t begin, end;
    float best = 0, ms;

    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    for (int run = 0; run < 5; run++) {
        check(cudaEventRecord(begin));
        read_strided<<<blocks, block>>>((const uint64_t *)table, (gib << 27) - 1, stride, times, sink);
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        check(cudaEventElapsedTime(&ms, begin, end));
        best = run == 0 || ms < best ? ms : best;
    }
    printf("stride,%llu,%u,%.4g,%.4g\n", (unsigned long long)gib, stride, accesses / (best * 1e-3),
           accesses * 8.0 / (best * 1e-3));
}

int main()
{
    size_t free_bytes, all_bytes;
    uint64_t *sink;
    void *table;
    uint64_t most = 1;

    check(cudaMemGetInfo(&free_bytes, &all_bytes));
    while (most < 64 && (most * 2 << 30) < free_bytes)
        most *= 2;
    check(cudaMalloc(&table, most << 30));
    check(cudaMemset(table, 0, most << 30));
    check(cudaMalloc(&sink, sizeof *sink));
    printf("access,gib,chunk_bytes,chunks_s,bytes_s\n");
    for (unsigned bytes = 32; bytes <= 8192; bytes *= 2) {
        const uint64_t gib = most < 8 ? most : 8;

        measure<READ, ulonglong2>("read", table, gib, bytes, sink);
        measure<WRITE, ulonglong2>("write", table, gib, bytes, sink);
        measure<ADD, ulonglong2>("add", table, gib, bytes, sink);
    }
    for (unsigned stride = 8; stride <= 8192; stride *= 2)
        measure_stride(table, most, stride, sink);
    for (uint64_t gib = 1; gib <= most; gib *= 2) {
        measure<READ, Eight>("read", table, gib, 8, sink);
        measure<WRITE, Eight>("write", table, gib, 8, sink);
        measure<ADD, Eight>("add", table, gib, 8, sink);
    }
    return 0;
}
