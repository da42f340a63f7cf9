__kernel void boxes_scan(__global const int *points, __global int *lo, __global int *hi,
                         __global uint *outside, int radius, int n)
{
    int which = get_global_id(0), label = which / 3, axis = which % 3;
    int a = 2147483647, b = -2147483647;
    uint out = 0;
    for (int i = 0; i < n; i++) {
        int inside = 1;
        for (int k = 0; k < 3; k++)
            inside = inside && points[4 * i + k] <= radius && points[4 * i + k] >= -radius;
        if (!inside) { out++; continue; }
        if (((points[4 * i + 3] % LABELS) + LABELS) % LABELS != label) continue;
        int v = points[4 * i + axis];
        if (v < a) a = v;
        if (v > b) b = v;
    }
    lo[which] = a;
    hi[which] = b;
    if (which == 0) outside[0] = out;
}
