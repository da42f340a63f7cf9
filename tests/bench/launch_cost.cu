// What the host pays for a launch by CUDA, as launch_cost.c tells of OpenCL: prints the microseconds that a call takes, of
// the fastest of many batches, those that it takes with the wait for the batch, and those between two events around a
// launch that had to wait for its turn, which is what collect takes for the time of a kernel that does nothing.
//
//     nvcc -O2 -o launch_cost_cuda tests/bench/launch_cost.cu && ./launch_cost_cuda
//
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const int BATCHES = 200, LAUNCHES = 100, HELD_US = 300;

__global__ void nothing(int *)
{
}

__global__ void hold(long long cycles)
{
    const long long start = clock64();

    while (clock64() - start < cycles) {
    }
}

static double now_us()
{
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void check(cudaError_t code)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "launch_cost: %s\n", cudaGetErrorString(code));
    exit(1);
}

static double between_events(int *memory)
{
    std::vector<float> times;
    cudaEvent_t before, behind;
    int khz = 0;

    check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    check(cudaEventCreate(&before));
    check(cudaEventCreate(&behind));
    for (int i = 0; i < BATCHES; i++) {
        float ms;

        hold<<<1, 1>>>(static_cast<long long>(khz) * HELD_US / 1000);
        check(cudaEventRecord(before));
        nothing<<<1, 1>>>(memory);
        check(cudaEventRecord(behind));
        check(cudaEventSynchronize(behind));
        check(cudaEventElapsedTime(&ms, before, behind));
        times.push_back(ms * 1000);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

int main()
{
    double fastest = 1e9, fastest_done = 1e9;
    int *memory;

    check(cudaMalloc(&memory, 64));
    for (int b = 0; b < BATCHES; b++) {
        const double start = now_us();

        for (int l = 0; l < LAUNCHES; l++)
            nothing<<<1, 1>>>(memory);
        check(cudaGetLastError());
        fastest = std::min(fastest, (now_us() - start) / LAUNCHES);
        check(cudaDeviceSynchronize());
        fastest_done = std::min(fastest_done, (now_us() - start) / LAUNCHES);
    }
    printf("%.3f %.3f %.3f\n", fastest, fastest_done, between_events(memory));
    return 0;
}
