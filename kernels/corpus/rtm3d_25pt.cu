/* kernels/corpus/rtm3d_25pt.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define RADIUS 4
#define PLANE (NX * NY)

__constant__ const float c[RADIUS + 1] = {-205.0f / 72.0f, 8.0f / 5.0f, -1.0f / 5.0f, 8.0f / 315.0f,
                                          -1.0f / 560.0f};

/* `next` has the field of the previous time at the start, and that of the next time at the end. */
__global__ void wave_step(float *__restrict__ next, const float *__restrict__ now,
                          const float *__restrict__ c2dt2)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + RADIUS;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + RADIUS;
    const int z = blockIdx.z * blockDim.z + threadIdx.z + RADIUS;
    const int i = (z * NY + y) * NX + x;

    float lap = 3.0f * c[0] * now[i];
#pragma unroll
    for (int r = 1; r <= RADIUS; r++)
        lap += c[r] * (now[i - r] + now[i + r] + now[i - r * NX] + now[i + r * NX] +
                       now[i - r * PLANE] + now[i + r * PLANE]);

    next[i] = 2.0f * now[i] - next[i] + c2dt2[i] * lap;
}
