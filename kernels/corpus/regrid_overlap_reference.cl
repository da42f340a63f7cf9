#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* In double and the other way round: the target's square is clipped by the four edges of each source cell, and more
   cells than can be needed are tried. */
__kernel void overlap(__global const float *sx, __global const float *sy, __global const float *value,
                      __global float *covered, __global float *total, int target, int source)
{
    int tx = get_global_id(0), ty = get_global_id(1);
    double sum = 0, weighted = 0, dx = tx + 0.5 - target / 2, dy = ty + 0.5 - target / 2;
    int ci = (int)(dx + 0.75 * dy + source / 2), cj = (int)(dy - 0.75 * dx + source / 2);
    for (int j = max(cj - 4, 0); j <= min(cj + 4, source - 1); j++)
        for (int i = max(ci - 4, 0); i <= min(ci + 4, source - 1); i++) {
            double2 poly[12] = {(double2)(tx, ty), (double2)(tx + 1, ty), (double2)(tx + 1, ty + 1),
                                (double2)(tx, ty + 1)};
            int n = 4, ring[5];
            ring[0] = ring[4] = j * (source + 1) + i;
            ring[1] = ring[0] + 1;
            ring[2] = ring[0] + source + 2;
            ring[3] = ring[0] + source + 1;
            for (int edge = 0; edge < 4; edge++) {
                double2 a = (double2)(sx[ring[edge]], sy[ring[edge]]);
                double2 b = (double2)(sx[ring[edge + 1]], sy[ring[edge + 1]]);
                double2 kept[12];
                int m = 0;
                for (int p = 0; p < n; p++) {
                    double2 from = poly[p], to = poly[(p + 1) % n];
                    double left = (b.x - a.x) * (from.y - a.y) - (b.y - a.y) * (from.x - a.x);
                    double then = (b.x - a.x) * (to.y - a.y) - (b.y - a.y) * (to.x - a.x);
                    if (left >= 0)
                        kept[m++] = from;
                    if (left * then < 0)
                        kept[m++] = from + (to - from) * (left / (left - then));
                }
                n = m;
                for (int p = 0; p < m; p++)
                    poly[p] = kept[p];
            }
            double twice = 0;
            for (int p = 0; p < n; p++)
                twice += (poly[p].x - tx) * (poly[(p + 1) % n].y - ty) - (poly[(p + 1) % n].x - tx) * (poly[p].y - ty);
            sum += twice / 2;
            weighted += twice / 2 * value[j * source + i];
        }
    covered[ty * target + tx] = (float)sum;
    total[ty * target + tx] = (float)weighted;
}
