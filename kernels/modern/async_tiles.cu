/* Programs that copy tiles to shared memory asynchronously: a transpose, a stencil in three dimensions, and sums of rows
 * with a warp that only loads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "async_copy.cuh"

/* Transposes four tiles of 32 x 32 floats below each other; the next tile is copied while one is stored. */
extern "C" __global__ void __launch_bounds__(256) transpose_async(const float *in, float *out, int rows, int columns)
{
    __shared__ float tile[2][32][33];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32, column = blockIdx.x * 32;
    auto fetch = [&](int t) {
        for (int i = y; i < 32; i += 8)
            copy4(&tile[t % 2][i][x], &in[(size_t)(blockIdx.y * 128 + t * 32 + i) * columns + column + x]);
        end_group();
    };
    fetch(0);
    for (int t = 0; t < 4; t++) {
        if (t < 3)
            fetch(t + 1);
        else
            end_group();
        wait_groups<1>();
        __syncthreads();
        for (int i = y; i < 32; i += 8)
            out[(size_t)(column + i) * rows + blockIdx.y * 128 + t * 32 + x] = tile[t % 2][x][i];
        __syncthreads();
    }
}

/* Seven-point stencil. A block walks along z through columns of 32 x 8 elements; four planes with a border are in shared
 * memory, and the plane after the next one is copied. The arrays have a border of 4 in x and 1 in y and z. */
extern "C" __global__ void __launch_bounds__(256)
    stencil_async(const float *in, float *out, int nx, int ny, int depth, float center, float side)
{
    __shared__ __align__(16) float planes[4][10][40];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    const size_t row = nx + 8, plane = row * (ny + 2);
    const float *from = in + (size_t)blockIdx.z * depth * plane + (size_t)blockIdx.y * 8 * row + blockIdx.x * 32;
    float *to = out + ((size_t)blockIdx.z * depth + 1) * plane + (size_t)(blockIdx.y * 8 + y + 1) * row +
                blockIdx.x * 32 + x + 4;
    auto fetch = [&](int z) {
        if (threadIdx.x < 100)
            copy16(&planes[z % 4][threadIdx.x / 10][threadIdx.x % 10 * 4],
                   &from[z * plane + threadIdx.x / 10 * row + threadIdx.x % 10 * 4]);
        end_group();
    };
    fetch(0);
    fetch(1);
    fetch(2);
    for (int z = 0; z < depth; z++) {
        if (z + 3 < depth + 2)
            fetch(z + 3);
        else
            end_group();
        wait_groups<1>();
        __syncthreads();
        const float(*now)[40] = planes[(z + 1) % 4];
        float sum = now[y + 1][x + 3] + now[y + 1][x + 5] + now[y][x + 4] + now[y + 2][x + 4] +
                    planes[z % 4][y + 1][x + 4] + planes[(z + 2) % 4][y + 1][x + 4];
        to[z * plane] = center * now[y + 1][x + 4] + side * sum;
        __syncthreads();
    }
}

static __device__ void wait_phase(unsigned barrier, unsigned phase)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(barrier), "r"(phase)
                     : "memory");
}

static __device__ void arrive(unsigned barrier)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(barrier) : "memory");
}

/* Sums of squares of rows. The first warp copies parts of 1024 floats into a ring of four; the others add them up. */
extern "C" __global__ void __launch_bounds__(160) squares_ring(const float *x, float *out, int columns)
{
    __shared__ __align__(16) float ring[4][1024];
    __shared__ __align__(8) unsigned long long full[4], empty[4];
    __shared__ float parts[4];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const float *row = x + (size_t)blockIdx.x * columns;
    if (threadIdx.x < 4) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(shared_address(&full[threadIdx.x])) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(shared_address(&empty[threadIdx.x])) : "memory");
    }
    __syncthreads();
    if (warp == 0) {
        for (int part = 0; part < columns / 1024; part++) {
            if (part >= 4)
                wait_phase(shared_address(&empty[part % 4]), (part / 4 - 1) % 2);
            for (int i = lane; i < 256; i += 32)
                copy16(&ring[part % 4][i * 4], &row[part * 1024 + i * 4]);
            asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&full[part % 4]))
                         : "memory");
        }
    } else {
        float sum = 0;
        for (int part = 0; part < columns / 1024; part++) {
            wait_phase(shared_address(&full[part % 4]), part / 4 % 2);
            for (int i = threadIdx.x - 32; i < 256; i += 128) {
                float4 v = *(const float4 *)&ring[part % 4][i * 4];
                sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
            }
            arrive(shared_address(&empty[part % 4]));
        }
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(~0u, sum, d);
        if (lane == 0)
            parts[warp - 1] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = parts[0] + parts[1] + parts[2] + parts[3];
}
