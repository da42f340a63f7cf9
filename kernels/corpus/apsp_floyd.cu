/* kernels/corpus/apsp_floyd.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Round k of Floyd's algorithm: paths through vertex k. Row and column k do not change in this
 * round, because dist[k][k] is 0. */
__global__ void through(int *dist, int *via, int k, int v)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int detour = dist[row * v + k] + dist[k * v + col];
    if (detour < dist[row * v + col]) {
        dist[row * v + col] = detour;
        via[row * v + col] = k;
    }
}
