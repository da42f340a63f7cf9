/* kernels/corpus/groupnorm_silu.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
static __device__ float block_sum(float v, float *tmp)
{
    const int tid = threadIdx.x;
    tmp[tid] = v;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            tmp[tid] += tmp[tid + s];
        __syncthreads();
    }
    const float total = tmp[0];
    __syncthreads();
    return total;
}

__global__ void group_norm_silu(const float *x, const float *gamma, const float *beta, float *y,
                                int channels_per_group, int pixels, int groups, float eps)
{
    extern __shared__ float tmp[];
    const int tid = threadIdx.x;
    const int nthreads = blockDim.x;
    const int sample_group = blockIdx.x;
    const int n = channels_per_group * pixels;
    const size_t base = (size_t)sample_group * n;
    const int c0 = (sample_group % groups) * channels_per_group;

    float sum = 0.0f;
    for (int i = tid; i < n; i += nthreads)
        sum += x[base + i];
    const float mean = block_sum(sum, tmp) / n;

    float sq = 0.0f;
    for (int i = tid; i < n; i += nthreads) {
        const float d = x[base + i] - mean;
        sq += d * d;
    }
    const float rstd = rsqrtf(block_sum(sq, tmp) / n + eps);

    for (int i = tid; i < n; i += nthreads) {
        const int c = c0 + i / pixels;
        const float t = (x[base + i] - mean) * rstd * gamma[c] + beta[c];
        y[base + i] = t / (1.0f + expf(-t));
    }
}
