/* kernels/corpus/walsh_rows.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void wht2(float *signal, unsigned int level)
{
    unsigned int p = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int low = p & ((1u << level) - 1u);
    unsigned int i = ((p >> level) << (level + 1)) | low;
    unsigned int j = i | (1u << level);
    float u = signal[i];
    float w = signal[j];
    signal[i] = u + w;
    signal[j] = u - w;
}
