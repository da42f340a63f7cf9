/* A file as programs have it: templates, memory that the launch gives, tables, and host code that
 * needs libraries which are not there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cuda_runtime.h>
#include <no_such_library/solver.hpp>
#include <stdio.h>

#include <iostream>
#include <vector>

#include "program.cuh"

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != cudaSuccess)                                                                 \
            exit(EXIT_FAILURE);                                                                    \
    } while (0)
#define EITHER __host__ __device__

/* What a comment says is not included:
#include "no_such_file.cuh"
#include "program.cuh"
*/
using namespace std;

static const char *const names[] = {"one", "two"};
std::vector<float> kept;
solver::Handle handle;

struct Timer {
    cudaEvent_t start;
    std::vector<double> seconds;
    void begin()
    {
        CHECK(cudaEventRecord(start));
    }
};

__constant__ float weights[4] = {1.0f, 2.0f, 3.0f, 4.0f};

EITHER float twice(float x)
{
    return 2 * x;
}

static float of_the_host(const std::vector<float> &v)
{
#ifdef SOME_HOST
    if (v.size() > 1) {
#else
    if (v.size() > 2) {
#endif
        cout << v[0] << endl;
    }
    return v[0] * rand();
}

template <typename T, int THREADS>
__global__ void __launch_bounds__(THREADS) reduce(const T *in, T *out, int n)
{
    extern __shared__ unsigned char given[];
    __shared__ T sums[THREADS];
    T *const seen = (T *)given;
    const int i = blockIdx.x * THREADS + threadIdx.x;

    seen[threadIdx.x] = i < n ? in[i] : T(0);
    sums[threadIdx.x] = seen[threadIdx.x];
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            sums[threadIdx.x] += sums[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sums[0] + seen[THREADS - 1];
}

namespace shapes
{
/* Uses a lambda, a struct by value and a function of a header. */
__global__ void scale(float *out, const float2 by, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    auto line = [=](float x) { return twice(x) * by.x + add(by.y, weights[i % 4]); };

    if (i < n)
        out[i] = line((float)i);
}
} // namespace shapes

template <typename T> static void start(T *d, int n)
{
    reduce<T, 256><<<n / 256, 256, 256 * sizeof(T)>>>(d, d, n);
    CHECK(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    std::vector<float> v(1000);
    float *d;

    CHECK(cudaMalloc(&d, v.size() * sizeof(float)));
    start(d, 1000);
    printf("%s %f\n", names[0], of_the_host(v));
    return 0;
}
