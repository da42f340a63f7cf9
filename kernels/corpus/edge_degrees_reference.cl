/* One work-item counts all edges, from the end of the list. */
__kernel void count_serially(__global const int *src, __global const int *dst, __global const uint *weight,
                             __global uint *out_degree, __global uint *in_degree, __global uint *strength, int edges)
{
    while (edges-- > 0) {
        out_degree[src[edges]]++;
        in_degree[dst[edges]]++;
        strength[src[edges]] += weight[edges];
    }
}
