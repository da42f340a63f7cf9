/* kernels/corpus/best_offer.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Packs 20 bits of price and 12 bits of bidder into a word, so that the largest word has the best
 * offer. */
#define PACK(price, bidder) (((price) << 12) | ((bidder)&0xfffu))

__global__ void take_bids(const int *lot, const unsigned int *price, const unsigned int *reserve,
                          unsigned int *best, unsigned int *valid)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    int l = lot[i];
    unsigned int p = price[i];
    if (p >= reserve[l]) {
        atomicMax(&best[l], PACK(p, i));
        atomicAdd(&valid[l], 1);
    }
}
