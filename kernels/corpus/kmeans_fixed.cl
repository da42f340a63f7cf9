int nearestCentre(int4 p, __global const int4 *centre)
{
    int best = 0, bestDistance = INT_MAX;
    for (int k = 0; k < K; ++k) {
        int4 d = p - centre[k];
        d *= d;
        int distance = d.x + d.y + d.z + d.w;
        if (distance < bestDistance) {
            bestDistance = distance;
            best = k;
        }
    }
    return best;
}

// sum[5 * k ...]: sums of the four coordinates of cluster k, and its number of points
__kernel void assign_points(__global const short4 *point, __global const int4 *centre,
                            __global int *sum, __global uchar *label, int points)
{
    int i = get_global_id(0);
    if (i >= points) return;
    int4 p = convert_int4(point[i]);
    int k = nearestCentre(p, centre);
    label[i] = (uchar)k;
    atomic_add(sum + 5 * k + 0, p.x);
    atomic_add(sum + 5 * k + 1, p.y);
    atomic_add(sum + 5 * k + 2, p.z);
    atomic_add(sum + 5 * k + 3, p.w);
    atomic_inc(sum + 5 * k + 4);
}

__kernel void assign_points_local(__global const short4 *point, __global const int4 *centre,
                                  __global int *sum, __global uchar *label, int points)
{
    __local int mine[5 * K];
    int i = get_global_id(0), l = get_local_id(0);
    if (l < 5 * K) mine[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < points) {
        int4 p = convert_int4(point[i]);
        int k = nearestCentre(p, centre);
        label[i] = (uchar)k;
        atomic_add(mine + 5 * k + 0, p.x);
        atomic_add(mine + 5 * k + 1, p.y);
        atomic_add(mine + 5 * k + 2, p.z);
        atomic_add(mine + 5 * k + 3, p.w);
        atomic_inc(mine + 5 * k + 4);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 5 * K && mine[l] != 0) atomic_add(sum + l, mine[l]);
}

__kernel void move_centres(__global int4 *centre, __global int *sum)
{
    int k = get_local_id(0);
    if (k < K) {
        __global int *s = sum + 5 * k;
        if (s[4] > 0) centre[k] = (int4)(s[0], s[1], s[2], s[3]) / s[4];
        for (int q = 0; q < 5; ++q) s[q] = 0;
    }
}
