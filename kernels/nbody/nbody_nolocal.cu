/* kernels/nbody/nbody_nolocal.cl in CUDA, which has no arithmetic of vectors, so operators are
 * defined here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cuda_runtime.h>

__device__ static inline float3 operator-(float3 a, float3 b)
{
    return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ static inline float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ static inline float3 operator*(float s, float3 a)
{
    return make_float3(s * a.x, s * a.y, s * a.z);
}

__device__ static inline float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

__device__ static inline float3 xyz(float4 a)
{
    return make_float3(a.x, a.y, a.z);
}

__global__ void __launch_bounds__(GROUP)
    nbody(const float4 *__restrict__ position, const float4 *__restrict__ velocity,
          float4 *__restrict__ new_position, float4 *__restrict__ new_velocity, int n,
          float softening, float dt)
{
    const int body = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 own = position[body];
    float3 acceleration = make_float3(0.0f, 0.0f, 0.0f);

#pragma unroll 8
    for (int k = 0; k < n; k++) {
        const float4 other = position[k];
        const float3 way = xyz(other) - xyz(own);
        const float inverse = rsqrtf(dot(way, way) + softening);

        acceleration = acceleration + other.w * inverse * inverse * inverse * way;
    }

    const float3 speed = xyz(velocity[body]);
    const float3 place = xyz(own) + dt * speed + 0.5f * dt * dt * acceleration;
    const float3 faster = speed + dt * acceleration;
    new_position[body] = make_float4(place.x, place.y, place.z, own.w);
    new_velocity[body] = make_float4(faster.x, faster.y, faster.z, 0.0f);
}
