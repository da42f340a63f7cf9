/* Dijkstra's algorithm from each vertex, on the original lengths. `via` marks the vertices that are
 * done. */
__kernel void dijkstra_rows(__global const int *lengths, __global int *dist, __global int *via, int v)
{
    int from = get_global_id(0);
    __global int *d = dist + from * v, *done = via + from * v;
    for (int k = 0; k < v; k++) { d[k] = k == from ? 0 : 1000000000; done[k] = 0; }
    for (int round = 0; round < v; round++) {
        int near = -1;
        for (int k = 0; k < v; k++)
            if (!done[k] && (near < 0 || d[k] < d[near])) near = k;
        done[near] = 1;
        for (int k = 0; k < v; k++)
            if (d[near] + lengths[near * v + k] < d[k]) d[k] = d[near] + lengths[near * v + k];
    }
}
