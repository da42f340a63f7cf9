__kernel void bfs_scan(__global const int *rowptr, __global const int *adj, volatile __global int *level,
                       volatile __global int *found, const int n, const int depth)
{
    const int v = get_global_id(0);
    if (v >= n || level[v] != depth)
        return;
    const int end = rowptr[v + 1];
    for (int e = rowptr[v]; e < end; ++e) {
        const int u = adj[e];
        if (atomic_cmpxchg(&level[u], -1, depth + 1) == -1)
            atomic_inc(&found[depth + 1]);
    }
}

__kernel void bfs_queue(__global const int *rowptr, __global const int *adj, volatile __global int *level,
                        volatile __global int *found, __global const int *frontier, __global int *next,
                        const int depth)
{
    const int size = found[depth];
    for (int k = get_global_id(0); k < size; k += get_global_size(0)) {
        const int v = frontier[k];
        const int end = rowptr[v + 1];
        for (int e = rowptr[v]; e < end; ++e) {
            const int u = adj[e];
            if (level[u] == -1 && atomic_cmpxchg(&level[u], -1, depth + 1) == -1)
                next[atomic_inc(&found[depth + 1])] = u;
        }
    }
}
