__kernel void count_edges(__global const int *src, __global const int *dst, __global const uint *weight,
                      __global uint *out_degree, __global uint *in_degree, __global uint *strength, int edges)
{
    int e = get_global_id(0);
    if (e < edges) {
        int s = src[e];
        atomic_inc(&out_degree[s]);
        atomic_inc(&in_degree[dst[e]]);
        atomic_add(&strength[s], weight[e]);
    }
}

#ifndef HUBS
#define HUBS 1024
#endif

/* Counts the edges of vertices with low ids in local memory, because these are the hubs (the graph
 * was relabelled by degree). */
__kernel void count_edges_hubs(__global const int *src, __global const int *dst, __global const uint *weight,
                           __global uint *out_degree, __global uint *in_degree, __global uint *strength, int edges)
{
    __local uint hub_count[HUBS];
    __local uint hub_weight[HUBS];
    for (int h = get_local_id(0); h < HUBS; h += get_local_size(0)) {
        hub_count[h] = 0;
        hub_weight[h] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int e = get_global_id(0); e < edges; e += get_global_size(0)) {
        int s = src[e];
        uint w = weight[e];
        if (s < HUBS) {
            atomic_inc(&hub_count[s]);
            atomic_add(&hub_weight[s], w);
        } else {
            atomic_inc(&out_degree[s]);
            atomic_add(&strength[s], w);
        }
        atomic_inc(&in_degree[dst[e]]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int h = get_local_id(0); h < HUBS; h += get_local_size(0)) {
        if (hub_count[h]) {
            atomic_add(&out_degree[h], hub_count[h]);
            atomic_add(&strength[h], hub_weight[h]);
        }
    }
}
