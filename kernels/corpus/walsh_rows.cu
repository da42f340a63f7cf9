/* kernels/corpus/walsh_rows.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void wht2(float *signal, uint level)
{
    uint p = blockIdx.x * blockDim.x + threadIdx.x;
    uint low = p & ((1u << level) - 1u);
    uint i = ((p >> level) << (level + 1)) | low;
    uint j = i | (1u << level);
    float u = signal[i];
    float w = signal[j];
    signal[i] = u + w;
    signal[j] = u - w;
}
