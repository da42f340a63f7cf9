/* kernels/corpus/luma_hist.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
static __device__ unsigned int luma(uchar4 p)
{
    return (77u * p.x + 150u * p.y + 29u * p.z) >> 8;
}

__global__ void hist_local(const uchar4 *rgba, unsigned int *hist, unsigned int pixels)
{
    __shared__ unsigned int bins[256];
    unsigned int me = threadIdx.x;
    bins[me] = 0;
    __syncthreads();
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels;
         i += gridDim.x * blockDim.x)
        atomicAdd(bins + luma(rgba[i]), 1);
    __syncthreads();
    if (bins[me])
        atomicAdd(hist + me, bins[me]);
}
