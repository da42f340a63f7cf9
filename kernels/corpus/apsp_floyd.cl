/* Round k of Floyd's algorithm: paths through vertex k. Row and column k do not change in this
 * round, because dist[k][k] is 0. */
__kernel void through(__global int *dist, __global int *via, int k, int v)
{
    int col = get_global_id(0);
    int row = get_global_id(1);
    int detour = dist[row * v + k] + dist[k * v + col];
    if (detour < dist[row * v + col]) {
        dist[row * v + col] = detour;
        via[row * v + col] = k;
    }
}

__kernel void through4(__global int *dist, __global int *via, int k, int v)
{
    int quad = get_global_id(0), row = get_global_id(1), quads = v / 4;
    if (row == k) return;
    int4 old = vload4(row * quads + quad, dist);
    int4 detour = dist[row * v + k] + vload4(k * quads + quad, dist);
    int4 better = detour < old;
    if (any(better)) {
        /* Write only changed components, because a neighbouring work-item may be reading the
         * others, which are in column k. */
        int at = row * v + quad * 4;
        if (better.x) { dist[at] = detour.x; via[at] = k; }
        if (better.y) { dist[at + 1] = detour.y; via[at + 1] = k; }
        if (better.z) { dist[at + 2] = detour.z; via[at + 2] = k; }
        if (better.w) { dist[at + 3] = detour.w; via[at + 3] = k; }
    }
}
