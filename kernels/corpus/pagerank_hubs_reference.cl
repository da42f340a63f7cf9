__kernel void countAlone(__global const int *source, __global int *outgoing, int links)
{
    for (int e = 0; e < links; e++)
        outgoing[source[e]] += 1;
}

__kernel void copyRank(__global const float *rank, __global float *old, int pages)
{
    int p = get_global_id(0);
    if (p < pages)
        old[p] = rank[p];
}

__kernel void pullRank(__global const int *begin, __global const int *source,
                       __global const int *outgoing, __global const float *old,
                       __global float *rank, int pages, float damping)
{
    int p = get_global_id(0);
    if (p >= pages)
        return;
    double sum = 0;
    for (int e = begin[p + 1] - 1; e >= begin[p]; e--)
        sum += (double)old[source[e]] / outgoing[source[e]];
    rank[p] = (float)(1 - (double)damping + damping * sum);
}
