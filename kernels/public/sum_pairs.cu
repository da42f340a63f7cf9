/* Sum of an array by 64 blocks of 256 threads. Each thread adds pairs that are a block's size apart
 * to its sum in shared memory, and the block adds up its sums in a tree.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
extern "C" __global__ void sum_groups(const float *numbers, float *sums, uint n)
{
    extern __shared__ float part[];
    uint lane = threadIdx.x, group = blockDim.x;

    part[lane] = 0;
    for (uint i = blockIdx.x * group * 2 + lane; i < n; i += group * 2 * gridDim.x)
        part[lane] += numbers[i] + numbers[i + group];
    __syncthreads();
    for (uint half_of = group / 2; half_of > 0; half_of /= 2) {
        if (lane < half_of)
            part[lane] += part[lane + half_of];
        __syncthreads();
    }
    if (lane == 0)
        sums[blockIdx.x] = part[0];
}
