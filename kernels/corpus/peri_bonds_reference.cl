#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct {
    float x, y, ux, uy, vx, vy, volume, broken;
} Node;

/* Computes forces in double. The new length of a bond follows from rest and displacement by the law
 * of cosines. */
__kernel void forces(__global Node *nodes, __global const int *family, __global float *damage, __global float2 *force,
                     int count)
{
    int i = get_global_id(0);
    double fx = 0, fy = 0, all = 0, gone = 0;
    for (int k = 24; k >= 0; k--) {
        int j = family[k * count + i], at = k * count + i;
        if (j == -1 || k == 12)
            continue;
        double dx = (double)nodes[j].x - nodes[i].x, dy = (double)nodes[j].y - nodes[i].y;
        double ex = (double)nodes[j].ux - nodes[i].ux, ey = (double)nodes[j].uy - nodes[i].uy;
        double old = sqrt(dx * dx + dy * dy);
        double now = sqrt(old * old + 2 * (dx * ex + dy * ey) + ex * ex + ey * ey);
        double s = now / old - 1, harm = (s - 0.008) / 0.022;
        if (harm > 1)
            harm = 1;
        if (harm < damage[at])
            harm = damage[at];
        damage[at] = (float)harm;
        double w = old < 3 ? 1 - old / 3 : 0;
        fx += 4 * w * (1 - harm) * s * (dx + ex) / now * nodes[j].volume;
        fy += 4 * w * (1 - harm) * s * (dy + ey) / now * nodes[j].volume;
        all += w;
        gone += w * harm;
    }
    force[i] = (float2)((float)fx, (float)fy);
    nodes[i].broken = (float)(gone / all);
}

__kernel void move(__global Node *nodes, __global const float2 *force, int width, float dt)
{
    int i = get_global_id(0);
    bool left = i % width < 3, right = i % width > width - 4;
    nodes[i].vx = left ? -0.1f : right ? 0.1f : nodes[i].vx + dt * force[i].x;
    nodes[i].vy = left || right ? 0.0f : nodes[i].vy + dt * force[i].y;
    nodes[i].ux += dt * nodes[i].vx;
    nodes[i].uy += dt * nodes[i].vy;
}
