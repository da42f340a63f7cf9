/* kernels/fdtd3d/fdtd3d_local.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define RADIUS 4

__global__ void __launch_bounds__(GX *GY)
    fdtd3d(const float *__restrict__ in, float *__restrict__ out, int origin, int stride, int plane,
           int depth, float c0, float c1, float c2, float c3, float c4)
{
    __shared__ float tile[GY + 2 * RADIUS][GX + 2 * RADIUS];
    const float c[RADIUS + 1] = {c0, c1, c2, c3, c4};
    const int x = threadIdx.x + RADIUS, y = threadIdx.y + RADIUS;
    float behind[RADIUS], ahead[RADIUS], current;
    int at = origin - plane + (int)(blockIdx.y * blockDim.y + threadIdx.y) * stride +
             (int)(blockIdx.x * blockDim.x + threadIdx.x);

    /* Fill the queue as for the plane before the first one, because the loop starts by moving it
     * on. */
#pragma unroll
    for (int i = 0; i < RADIUS - 1; ++i)
        behind[i] = in[at - (i + 1) * plane];
    current = in[at];
#pragma unroll
    for (int i = 0; i < RADIUS; ++i)
        ahead[i] = in[at + (i + 1) * plane];

    for (int z = 0; z < depth; ++z) {
#pragma unroll
        for (int i = RADIUS - 1; i > 0; --i)
            behind[i] = behind[i - 1];
        behind[0] = current;
        current = ahead[0];
#pragma unroll
        for (int i = 0; i < RADIUS - 1; ++i)
            ahead[i] = ahead[i + 1];
        at += plane;
        ahead[RADIUS - 1] = in[at + RADIUS * plane];

        __syncthreads(); /* the threads have finished reading the last plane */
        tile[y][x] = current;
        if (y < 2 * RADIUS) {
            tile[y - RADIUS][x] = in[at - RADIUS * stride];
            tile[y + GY][x] = in[at + GY * stride];
        }
        if (x < 2 * RADIUS) {
            tile[y][x - RADIUS] = in[at - RADIUS];
            tile[y][x + GX] = in[at + GX];
        }
        __syncthreads();

        float value = c[0] * current;
#pragma unroll
        for (int i = 1; i <= RADIUS; ++i)
            value += c[i] * (behind[i - 1] + ahead[i - 1] + tile[y - i][x] + tile[y + i][x] +
                             tile[y][x - i] + tile[y][x + i]);
        out[at] = value;
    }
}
