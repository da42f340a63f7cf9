/* kernels/corpus/crc32_records.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define POLY 0xEDB88320u

__global__ void crc32(const unsigned int *data, unsigned int *crc)
{
    size_t rec = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned int *p = data + rec * WORDS;
    unsigned int c = ~0u;
    for (int w = 0; w < WORDS; ++w) {
        c ^= p[w];
        for (int bit = 0; bit < 32; ++bit)
            c = (c >> 1) ^ (POLY & -(c & 1));
    }
    crc[rec] = ~c;
}
