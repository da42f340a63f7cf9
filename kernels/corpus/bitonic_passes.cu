/* kernels/corpus/bitonic_passes.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
// Pass p: stages have 1, 2, 3, ... passes; stage s (from 0) merges runs of 2^s, its passes have
// strides 2^s ... 1.
__global__ void bitonic_pass(unsigned int *key, unsigned int *value, unsigned int p)
{
    unsigned int stage = 0;
    while (p > stage) {
        p -= stage + 1;
        stage++;
    }
    const unsigned int stride = 1u << (stage - p);

    const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int a = ((t & ~(stride - 1)) << 1) | (t & (stride - 1));
    const unsigned int b = a + stride;
    const bool up = (a >> (stage + 1) & 1) == 0;
    const unsigned int ka = key[a], kb = key[b];
    if (up ? ka > kb : ka < kb) {
        const unsigned int va = value[a], vb = value[b];
        key[a] = kb;
        key[b] = ka;
        value[a] = vb;
        value[b] = va;
    }
}

// Equal keys may stand in any order: what goes with a key is summed over its run, at the run's
// first element.
__global__ void carry(const unsigned int *key, const unsigned int *value,
                      const unsigned int *original, unsigned int *carried, unsigned int n)
{
    const unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int k = key[t];
    unsigned int sum = 0;
    if (t == 0 || key[t - 1] != k)
        for (unsigned int j = t; j < n && key[j] == k; j++)
            sum += original[value[j]] + 1;
    carried[t] = sum;
}
