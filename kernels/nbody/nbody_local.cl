/* One step of n bodies under their own gravity. Each work-item computes one body. The work-group
 * stages the other bodies in local memory, at a time as many as it has work-items.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * position: x, y, z and mass. velocity: x, y, z and an unused 0.
 */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
nbody(__global const float4 *restrict position, __global const float4 *restrict velocity,
      __global float4 *restrict new_position, __global float4 *restrict new_velocity, int n,
      float softening, float dt)
{
    __local float4 tile[GROUP];
    const int lid = get_local_id(0);
    const int body = get_global_id(0);
    const float4 own = position[body];
    float3 acceleration = 0.0f;

    for (int first = 0; first < n; first += GROUP) {
        tile[lid] = position[first + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
        for (int k = 0; k < GROUP; k++) {
            const float4 other = tile[k];
            const float3 way = other.xyz - own.xyz;
            const float inverse = rsqrt(dot(way, way) + softening);
            acceleration += other.w * inverse * inverse * inverse * way;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const float3 speed = velocity[body].xyz;
    new_position[body] = (float4)(own.xyz + dt * speed + 0.5f * dt * dt * acceleration, own.w);
    new_velocity[body] = (float4)(speed + dt * acceleration, 0.0f);
}
