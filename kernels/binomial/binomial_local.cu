/* kernels/binomial/binomial_local.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float spot, strike;
    float step;     /* logarithm of the price's factor in a step up */
    /* probabilities of a step up and of a step down, times the discount factor of a step */
    float up, down;
} option;

__global__ void __launch_bounds__(STEPS + 1)
    binomial(const option *__restrict__ options, float *__restrict__ prices)
{
    __shared__ float row[2][STEPS + 1];
    const option o = options[blockIdx.x];
    const int node = threadIdx.x;
    int from = 0;

    row[0][node] = fmaxf(o.spot * expf(o.step * (float)(2 * node - STEPS)) - o.strike, 0.0f);
    __syncthreads();
    for (int level = STEPS; level > 0; --level) {
        if (node < level)
            row[1 - from][node] = o.up * row[from][node + 1] + o.down * row[from][node];
        __syncthreads();
        from = 1 - from;
    }
    if (node == 0)
        prices[blockIdx.x] = row[from][0];
}
