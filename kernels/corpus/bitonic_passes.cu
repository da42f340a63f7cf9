/* kernels/corpus/bitonic_passes.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
// Pass p: stages have 1, 2, 3, ... passes; stage s (from 0) merges runs of 2^s, its passes have
// strides 2^s ... 1.
__global__ void bitonic_pass(uint *key, uint *value, uint p)
{
    uint stage = 0;
    while (p > stage) {
        p -= stage + 1;
        stage++;
    }
    const uint stride = 1u << (stage - p);

    const uint t = blockIdx.x * blockDim.x + threadIdx.x;
    const uint a = ((t & ~(stride - 1)) << 1) | (t & (stride - 1));
    const uint b = a + stride;
    const bool up = (a >> (stage + 1) & 1) == 0;
    const uint ka = key[a], kb = key[b];
    if (up ? ka > kb : ka < kb) {
        const uint va = value[a], vb = value[b];
        key[a] = kb;
        key[b] = ka;
        value[a] = vb;
        value[b] = va;
    }
}

// Equal keys may stand in any order: what goes with a key is summed over its run, at the run's
// first element.
__global__ void carry(const uint *key, const uint *value, const uint *original, uint *carried,
                      uint n)
{
    const uint t = blockIdx.x * blockDim.x + threadIdx.x;
    const uint k = key[t];
    uint sum = 0;
    if (t == 0 || key[t - 1] != k)
        for (uint j = t; j < n && key[j] == k; j++)
            sum += original[value[j]] + 1;
    carried[t] = sum;
}
