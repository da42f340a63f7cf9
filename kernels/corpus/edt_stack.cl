/* The two phases of Meijster, Roerdink and Hesselink's distance transform. If a column has no set
 * pixel, its height is W + H. */

__kernel void columns(__global const uchar *mask, __global ushort *height, int images)
{
    int id = get_global_id(0);
    int img = id / W, x = id % W;
    if (img >= images) return;

    __global const uchar *m = mask + img * W * H + x;
    __global ushort *g = height + img * W * H + x;
    int run = W + H;
    for (int y = 0; y < H; y++) {
        run = m[y * W] ? 0 : min(run + 1, W + H);
        g[y * W] = run;
    }
    for (int y = H - 2; y >= 0; y--) {
        run = min(run + 1, (int)g[y * W]);
        g[y * W] = run;
    }
}

#define SQR(x) ((x) * (x))
#define COST(x, i) (SQR((x) - (i)) + SQR(g[i]))

__kernel void rows(__global const ushort *height, __global int *dist2, int images)
{
    int id = get_global_id(0);
    if (id >= H * images) return;

    int g[W];
    short s[W], t[W];
    for (int x = 0; x < W; x++)
        g[x] = height[id * W + x];

    int q = 0;
    s[0] = t[0] = 0;
    for (int u = 1; u < W; u++) {
        while (q >= 0 && COST(t[q], s[q]) > COST(t[q], u))
            q--;
        if (q < 0) {
            q = 0;
            s[0] = u;
        } else {
            int i = s[q];
            int from = 1 + (SQR(u) - SQR(i) + SQR(g[u]) - SQR(g[i])) / (2 * (u - i));
            if (from < W) {
                q++;
                s[q] = u;
                t[q] = from;
            }
        }
    }
    for (int u = W - 1; u >= 0; u--) {
        dist2[id * W + u] = COST(u, s[q]);
        if (u == t[q])
            q--;
    }
}
