/* kernels/corpus/bfs_levels.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void bfs_scan(const int *rowptr, const int *adj, int *level, int *found, const int n,
                         const int depth)
{
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != depth)
        return;
    const int end = rowptr[v + 1];
    for (int e = rowptr[v]; e < end; ++e) {
        const int u = adj[e];
        if (atomicCAS(&level[u], -1, depth + 1) == -1)
            atomicAdd(&found[depth + 1], 1);
    }
}
