/* kernels/corpus/redblack_poisson.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The interior is 1..width x 1..height. The boundary does not change. */
__global__ void relax(float *u, const float *f, int colour, float omega)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int pitch = gridDim.x * blockDim.x + 2;
    int i = y * pitch + x;

    if (((x + y) & 1) == colour) {
        float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - pitch] + u[i + pitch] - f[i]);
        u[i] += omega * (mean - u[i]);
    }
}
