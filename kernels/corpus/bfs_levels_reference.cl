/* The textbook's breadth-first search with a queue, one vertex at a time. Vertices deeper than
 * `levels` stay unvisited. */
__kernel void bfs_serial(__global const int *rowptr, __global const int *adj, __global int *level,
                         __global int *found, __global int *queue, int n, int levels)
{
    int head = 0, tail = 1;
    for (int v = 0; v < n; v++) level[v] = v ? -1 : 0;
    for (int d = 0; d <= levels; d++) found[d] = 0;
    queue[0] = 0;
    while (head < tail) {
        int v = queue[head++];
        found[level[v]]++;
        if (level[v] == levels) continue;
        for (int e = rowptr[v]; e < rowptr[v + 1]; e++)
            if (level[adj[e]] < 0) {
                level[adj[e]] = level[v] + 1;
                queue[tail++] = adj[e];
            }
    }
}
