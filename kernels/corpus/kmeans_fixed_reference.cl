// Finds the nearest centre by |c|^2 - 2 c.p, from the last centre to the first.
__kernel void nearest(__global const short4 *point, __global const int4 *centre, __global uchar *label,
                      int points)
{
    int i = get_global_id(0);
    if (i >= points) return;
    short4 p = point[i];
    int found = K - 1, least = 0;
    for (int k = K - 1; k >= 0; k--) {
        int4 c = centre[k];
        int e = c.x * (c.x - 2 * p.x) + c.y * (c.y - 2 * p.y) + c.z * (c.z - 2 * p.z) + c.w * (c.w - 2 * p.w);
        if (k == K - 1 || e <= least) {
            least = e;
            found = k;
        }
    }
    label[i] = (uchar)found;
}

__kernel void means(__global const short4 *point, __global const uchar *label, __global int4 *centre,
                    int points)
{
    int k = get_global_id(0);
    long x = 0, y = 0, z = 0, w = 0, n = 0;
    for (int i = 0; i < points; i++)
        if (label[i] == k) {
            x += point[i].x;
            y += point[i].y;
            z += point[i].z;
            w += point[i].w;
            n++;
        }
    if (n) centre[k] = (int4)((int)(x / n), (int)(y / n), (int)(z / n), (int)(w / n));
}
