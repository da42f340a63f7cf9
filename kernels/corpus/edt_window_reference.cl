/* Searches squares of pixels around each pixel, from the inside to the outside. */
__kernel void ring_search(__global const uchar *mask, __global int *dist2, int w, int h, int reach)
{
    int x = get_global_id(0), y = get_global_id(1), best = 1 << 30;
    if (x >= w || y >= h)
        return;
    for (int r = 0; r <= reach && r * r < best; r++)
        for (int dy = -r; dy <= r; dy++) {
            int step = dy == -r || dy == r || r == 0 ? 1 : 2 * r;
            for (int dx = -r; dx <= r; dx += step) {
                int u = x + dx, v = y + dy;
                if (u >= 0 && v >= 0 && u < w && v < h && mask[v * w + u] && dx * dx + dy * dy < best)
                    best = dx * dx + dy * dy;
            }
        }
    dist2[y * w + x] = best;
}
