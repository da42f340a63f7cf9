/* Finds the value of the window that has at most four smaller and at most four larger values. */
__kernel void middle(__global const ushort *raw, __global ushort *clean)
{
    int w = get_global_size(0), x = get_global_id(0), y = get_global_id(1);
    for (int a = x - 4; a <= x + 4; a++) {
        int pa = a < 0 ? -a : a >= w ? w - 1 - (a - (w - 1)) : a;
        int v = raw[y * w + pa], smaller = 0, larger = 0;
        for (int b = x - 4; b <= x + 4; b++) {
            int pb = b < 0 ? -b : b >= w ? w - 1 - (b - (w - 1)) : b;
            smaller += raw[y * w + pb] < v;
            larger += raw[y * w + pb] > v;
        }
        if (smaller <= 4 && larger <= 4)
            clean[y * w + x] = v;
    }
}
