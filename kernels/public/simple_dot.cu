/* Dot product. Each thread adds products that are a grid's size apart. Each block adds up the sums
 * of its threads in a tree in shared memory. The host adds up the blocks' sums.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
extern "C" __global__ void dot_groups(float *a, float *b, float *sums, int n)
{
    __shared__ float part[GROUP];
    int lane = threadIdx.x;
    float sum = 0.0f;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += a[i] * b[i];
    part[lane] = sum;
    __syncthreads();
    for (int half_of = blockDim.x / 2; half_of != 0; half_of /= 2) {
        if (lane < half_of)
            part[lane] += part[lane + half_of];
        __syncthreads();
    }
    if (lane == 0)
        sums[blockIdx.x] = part[0];
}
