/* C = A + B of square matrices; each thread computes an element. Neighbouring threads are along
 * rows, or along columns.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
extern "C" __global__ void sum_rows(float *c, float *a, float *b, int width)
{
    int at = (blockIdx.y * blockDim.y + threadIdx.y) * width + (blockIdx.x * blockDim.x + threadIdx.x);

    if (at < width * width)
        c[at] = a[at] + b[at];
}

extern "C" __global__ void sum_columns(float *c, float *a, float *b, int width)
{
    int at = (blockIdx.x * blockDim.x + threadIdx.x) * width + (blockIdx.y * blockDim.y + threadIdx.y);

    if (at < width * width)
        c[at] = a[at] + b[at];
}
