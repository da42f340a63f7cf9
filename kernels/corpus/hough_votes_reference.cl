kernel void directions(global int2 *direction)
{
    int t = get_global_id(0);
    direction[t].x = (int)rint(16384.0f * cospi(t / 180.0f));
    direction[t].y = (int)rint(16384.0f * sinpi(t / 180.0f));
}

/* Each bin counts the points that are on its line. */
kernel void count_bin(global const ushort *xs, global const ushort *ys, global const int2 *direction,
                      global uint *votes, int points, int bins)
{
    int b = get_global_id(0), t = get_global_id(1), low = (b - bins / 2) * 16384;
    uint sum = 0;
    for (int p = 0; p < points; p++) {
        int along = xs[p] * direction[t].x + ys[p] * direction[t].y;
        sum += along >= low && along < low + 16384;
    }
    votes[t * bins + b] = sum;
}

kernel void mark_maxima(global const uint *votes, global uchar *mark, int bins, uint threshold)
{
    int at = get_global_id(0), b = at % bins, t = at / bins;
    uint highest = 0;
    for (int dt = -1; dt <= 1; dt++)
        for (int db = -1; db <= 1; db++)
            if (t + dt >= 0 && t + dt < 180 && b + db >= 0 && b + db < bins)
                highest = max(highest, votes[at + dt * bins + db]);
    mark[at] = votes[at] == highest && votes[at] >= threshold;
}
