/* kernels/corpus/lu_rank1.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
// LU factorisation without pivoting, in place, row-major. Each step k is two launches.
#define A(r, c) a[(r)*n + (c)]

__global__ void scale_column(float *a, int n, int k)
{
    int r = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n)
        A(r, k) = A(r, k) / A(k, k);
}

__global__ void update_rest(float *a, int n, int k)
{
    int c = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    int r = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (r < n && c < n)
        A(r, c) -= A(r, k) * A(k, c);
}
