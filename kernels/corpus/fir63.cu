/* kernels/corpus/fir63.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* filtered[i] = taps[0] * signal[i + 62] + ... + taps[62] * signal[i] */

__global__ void fir(const float *signal, const float *taps, int ntaps, float *filtered)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float acc = 0;
    for (int k = 0; k < ntaps; k++)
        acc += taps[k] * signal[i + ntaps - 1 - k];
    filtered[i] = acc;
}
