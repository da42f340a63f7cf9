/* One work-item computes everything. Of equal costs, the leftmost is taken. */
int pixel(global const uchar *image, int x, int y, int w, int h)
{
    return image[clamp(y, 0, h - 1) * w + clamp(x, 0, w - 1)];
}

int best_of(global const uint *row, int from, int to)
{
    int best = from;
    for (int x = from; x <= to; x++)
        if (row[x] < row[best])
            best = x;
    return best;
}

kernel void all_of_it(global const uchar *image, global uint *cost, global int *seam, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int dx = pixel(image, x + 1, y, w, h) - pixel(image, x - 1, y, w, h);
            int dy = pixel(image, x, y + 1, w, h) - pixel(image, x, y - 1, w, h);
            uint sum = abs(dx) + abs(dy);
            if (y > 0) {
                global const uint *above = cost + (y - 1) * w;
                sum += above[best_of(above, max(x - 1, 0), min(x + 1, w - 1))];
            }
            cost[y * w + x] = sum;
        }
    int from = 0, to = w - 1;
    for (int y = h - 1; y >= 0; y--) {
        seam[y] = best_of(cost + y * w, from, to);
        from = max(seam[y] - 1, 0);
        to = min(seam[y] + 1, w - 1);
    }
}
