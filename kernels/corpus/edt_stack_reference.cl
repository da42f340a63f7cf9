/* Searches squares of increasing size around the pixel, until no larger one can contain a nearer
 * set pixel. */
__kernel void rings(__global const uchar *mask, __global int *dist2)
{
    int at = get_global_id(0), x = at % W, y = at / W % H;
    __global const uchar *m = mask + at / (W * H) * (W * H);
    int best = INT_MAX;
    for (int r = 0; r < W + H && r * r < best; r++)
        for (int dy = -r; dy <= r; dy++) {
            int step = dy == -r || dy == r ? 1 : 2 * r;
            for (int dx = -r; dx <= r; dx += step)
                if (x + dx >= 0 && x + dx < W && y + dy >= 0 && y + dy < H && m[(y + dy) * W + x + dx])
                    best = min(best, dx * dx + dy * dy);
        }
    dist2[at] = best;
}
