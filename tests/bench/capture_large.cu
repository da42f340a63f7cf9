/* A CUDA program with 5 GB on the device, to measure what `perfmodel capture` costs it: 1500 passes over two
 * buffers of 2.5 GB with random numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nvcc -O3 -arch=sm_90 -o capture_large capture_large.cu
 */
#include <cstdio>

static __global__ void fill(float *out, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = (float)(i * 2654435761u % 1000003) * 1e-6f;
}

static __global__ void step(const float *in, float *out, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        out[i] = in[i] * 0.5f + 1;
}

int main()
{
    const size_t n = 625000000;
    float *a, *b;

    if (cudaMalloc(&a, n * sizeof *a) != cudaSuccess || cudaMalloc(&b, n * sizeof *b) != cudaSuccess)
        return 1;
    fill<<<4096, 256>>>(a, n);
    for (int i = 0; i < 1500; i++)
        step<<<4096, 256>>>(i % 2 ? b : a, i % 2 ? a : b, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
