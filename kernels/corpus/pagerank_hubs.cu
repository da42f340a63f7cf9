/* kernels/corpus/pagerank_hubs.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void countLinks(const int *source, int *outgoing, int links)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < links)
        atomicAdd(outgoing + source[e], 1);
}

__global__ void splitRank(const float *rank, const int *outgoing, float *share, int pages)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < pages)
        share[p] = outgoing[p] > 0 ? rank[p] / (float)outgoing[p] : 0.0f;
}

/* Ranks are scaled so that their mean would be 1 if no page were without links. */
__global__ void pullRank(const int *begin, const int *source, const float *share, float *rank,
                         int pages, float damping)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pages)
        return;
    float sum = 0.0f;
    int last = begin[p + 1];
    for (int e = begin[p]; e < last; ++e)
        sum += share[source[e]];
    rank[p] = 1.0f - damping + damping * sum;
}
