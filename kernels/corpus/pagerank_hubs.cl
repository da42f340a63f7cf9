__kernel void countLinks(__global const int *source, __global int *outgoing, int links)
{
    int e = get_global_id(0);
    if (e < links)
        atomic_inc(outgoing + source[e]);
}

__kernel void splitRank(__global const float *rank, __global const int *outgoing,
                        __global float *share, int pages)
{
    int p = get_global_id(0);
    if (p < pages)
        share[p] = outgoing[p] > 0 ? rank[p] / (float)outgoing[p] : 0.0f;
}

/* Ranks are scaled so that their mean would be 1 if no page were without links. */
__kernel void pullRank(__global const int *begin, __global const int *source,
                       __global const float *share, __global float *rank, int pages, float damping)
{
    int p = get_global_id(0);
    if (p >= pages)
        return;
    float sum = 0.0f;
    int last = begin[p + 1];
    for (int e = begin[p]; e < last; ++e)
        sum += share[source[e]];
    rank[p] = 1.0f - damping + damping * sum;
}
