// Kernels that tests of perfmodel capture launch. kernels.c has the same for the host.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "include/setup.cuh"

#include <cuda_runtime.h>

__constant__ float weights[4];

/* A comment with __global__ void scale(int) { } in it. */
__global__ void scale(const float *__restrict__ in, float *out, Setup setup)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < setup.n)
        out[i] = in[i] * setup.factor + weights[i % 4];
}

template <typename T, int WIDTH> __global__ void sum(const T *in, T *sums, int n)
{
    extern __shared__ float part[];
    const int t = threadIdx.x, i = blockIdx.x * WIDTH + t;

    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int step = WIDTH / 2; step > 0; step /= 2) {
        if (t < step)
            part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

namespace space
{
__global__ void move(int2 *at, int from, unsigned char *seen)
{
    const int i = blockIdx.y * gridDim.x * blockDim.x + blockIdx.x * blockDim.x + threadIdx.x;

    at[i].x += from;
    if (seen)
        seen[i] = 1;
}
} // namespace space

extern "C" __global__ void __launch_bounds__(64) plain(unsigned *data, unsigned value)
{
    data[blockIdx.x * blockDim.x + threadIdx.x] ^= value;
}

struct List {
    int *data;
    int n;
};

__global__ void linked(List l)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < l.n)
        l.data[i]++;
}

__global__ void follow(int **rows, const List *lists)
{
    rows[blockIdx.x][threadIdx.x] = lists[blockIdx.x].data[threadIdx.x] + lists[blockIdx.x].n;
}
