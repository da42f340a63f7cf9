/* kernels/corpus/acf_lags.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
static __device__ float toVolt(short sample)
{
    return sample * (1.0f / 2048.0f);
}

// Computes the autocorrelation for each lag: the mean of x[i] * x[i + lag].
__global__ void acf_global(const short *wave, float *acf, int length)
{
    int lag = blockIdx.x * blockDim.x + threadIdx.x;
    int segment = blockIdx.y * blockDim.y + threadIdx.y;
    const short *x = wave + segment * length;
    int terms = length - lag;
    float sum = 0.0f;

    for (int i = 0; i < terms; i++)
        sum += toVolt(x[i]) * toVolt(x[i + lag]);

    acf[segment * LAGS + lag] = sum / terms;
}
