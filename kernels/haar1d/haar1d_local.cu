/* kernels/haar1d/haar1d_local.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void haar1d(const float2 *__restrict__ in, float *out, float *approx, int n)
{
    __shared__ float tiles[2][GROUP];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lid = threadIdx.x;
    const int group = blockIdx.x;
    const float2 pair = in[i];
    float sum = (pair.x + pair.y) * 0.70710678f;
    int from = 0;

    out[n / 2 + i] = (pair.x - pair.y) * 0.70710678f;
    tiles[0][lid] = sum;
    for (int count = blockDim.x / 2, length = n / 2; count > 0; count /= 2, length /= 2) {
        __syncthreads();
        if (lid < count) {
            const float2 next = {tiles[from][2 * lid], tiles[from][2 * lid + 1]};
            out[length / 2 + group * count + lid] = (next.x - next.y) * 0.70710678f;
            sum = (next.x + next.y) * 0.70710678f;
            tiles[1 - from][lid] = sum;
        }
        from = 1 - from;
    }
    if (lid == 0)
        approx[group] = sum;
}
