/* kernels/inverse/inverse_nolocal.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void __launch_bounds__(COLUMNS)
    inverse(const float *__restrict__ in, float *__restrict__ out, int n, int k)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = (blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    const int end = min(first + ROWS, n);

    if (column >= n)
        return;
    /* the element of row k of `out` */
    const float pivot = (column == k ? 1.0f : in[k * n + column]) / in[k * n + k];
    for (int row = first; row < end; row++) {
        const float old = column == k ? 0.0f : in[row * n + column];
        const float other = old - in[row * n + k] * pivot;
        out[row * n + column] = row == k ? pivot : other;
    }
}
