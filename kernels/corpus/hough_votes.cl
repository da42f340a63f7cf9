#define ANGLES 180

kernel void directions(global int2 *direction)
{
    int t = get_global_id(0);
    direction[t] = (int2)(convert_int_rte(16384.0f * cospi(t / 180.0f)), convert_int_rte(16384.0f * sinpi(t / 180.0f)));
}

static int bin_of(int x, int y, int2 d, int bins)
{
    return ((x * d.x + y * d.y) >> 14) + bins / 2;
}

kernel void vote(global const ushort *xs, global const ushort *ys, global const int2 *direction,
                 volatile global uint *votes, int points, int bins)
{
    int p = get_global_id(0), x = xs[p], y = ys[p];
    for (int t = 0; t < ANGLES; t++)
        atomic_inc(&votes[t * bins + bin_of(x, y, direction[t], bins)]);
}

kernel void vote_pairs(global const ushort *xs, global const ushort *ys, global const int2 *direction,
                       volatile global uint *votes, int points, int bins)
{
    int p = get_global_id(0), t = get_global_id(1);
    atomic_inc(&votes[t * bins + bin_of(xs[p], ys[p], direction[t], bins)]);
}

kernel void vote_rows(global const ushort *xs, global const ushort *ys, global const int2 *direction,
                      volatile global uint *votes, int points, int bins, local uint *row)
{
    int t = get_global_id(1), me = get_local_id(0);
    for (int b = me; b < bins; b += get_local_size(0))
        row[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int2 d = direction[t];
    for (int p = get_global_id(0); p < points; p += get_global_size(0))
        atomic_inc(&row[bin_of(xs[p], ys[p], d, bins)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = me; b < bins; b += get_local_size(0))
        if (row[b] != 0)
            atomic_add(&votes[t * bins + b], row[b]);
}

/* Marks maxima: bins above the threshold whose votes are not less than those of any of the eight
 * neighbours. Angles do not wrap around. */
kernel void maxima(global const uint *votes, global uchar *mark, int bins, uint threshold)
{
    int b = get_global_id(0), t = get_global_id(1);
    if (b >= bins)
        return;
    uint mine = votes[t * bins + b];
    uchar is_one = mine >= threshold;
    if (is_one)
        for (int dt = max(t - 1, 0); dt <= min(t + 1, ANGLES - 1); dt++)
            for (int db = max(b - 1, 0); db <= min(b + 1, bins - 1); db++)
                if (votes[dt * bins + db] > mine)
                    is_one = 0;
    mark[t * bins + b] = is_one;
}
