/* What the template of workload files for CUDA describes: one step of particles that fall on a floor and bounce, each on
 * its own. The host's part stays where it is: it is left out before anything is compiled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <cuda_runtime.h>

__constant__ float gravity[3];

/* w of a position is the particle's mass; BLOCK threads a block. */
template <int BLOCK>
__global__ void move(float4 *positions, float4 *velocities, float *energy, int n, float dt)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;

    if (i >= n)
        return;
    float4 p = positions[i], v = velocities[i];

    p.x += dt * v.x;
    p.y += dt * v.y;
    p.z += dt * v.z;
    v.x += dt * gravity[0];
    v.y += dt * gravity[1];
    v.z += dt * gravity[2];
    if (p.y < 0.0f) {
        p.y = -p.y;
        v.y = -0.5f * v.y;
    }
    positions[i] = p;
    velocities[i] = v;
    energy[i] = p.w * 0.5f * (v.x * v.x + v.y * v.y + v.z * v.z);
}

cudaError_t step(float4 *positions, float4 *velocities, float *energy, int n, float dt)
{
    move<128><<<(n + 127) / 128, 128>>>(positions, velocities, energy, n, dt);
    return cudaGetLastError();
}
