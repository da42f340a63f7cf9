/* scripts/findings/matmul_rows_parts.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void __launch_bounds__(GROUP)
    matmul_rows(const int *a, const int *b, int *c, int n, int row)
{
    __shared__ int part[GROUP];
    const int lid = threadIdx.x;
    const int first = blockIdx.x * GROUP;

    part[lid] = a[row * n + first + lid];
    __syncthreads();
    c[row * n + first + lid] = 0;
    for (int k = 0; k < GROUP; k++)
        for (int m = 0; m < n; m += GROUP)
            c[row * n + m + lid] += part[k] * b[(first + k) * n + m + lid];
}
