/* The row of the stiffness matrix of one inner node, by cotangents: triangle (a, b, c) adds
 * kappa / 2 * (cot(c) (ta - tb) + cot(b) (ta - tc)) at a. The triangles around a node are known from
 * the lattice. */
double cot_at(double px, double py, double qx, double qy, double rx, double ry)
{
    double ux = qx - px, uy = qy - py, vx = rx - px, vy = ry - py;
    return (ux * vx + uy * vy) / fabs(ux * vy - uy * vx);
}

__kernel void stiffness_row(__global const float2 *shift, __global const float *kappa,
                            __global const float *temperature, __global float *residual, int nx)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
    /* around the node, against the clock; each cell is cut from its right to its upper corner */
    int around[7][2] = {{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}, {1, 0}};
    /* the element between around[k] and around[k + 1]: cell and which half */
    int element[6][3] = {{0, 0, 0}, {-1, 0, 1}, {-1, 0, 0}, {-1, -1, 1}, {0, -1, 0}, {0, -1, 1}};
    int a = y * nx + x;
    double ax = x + (double)shift[a].x, ay = y + (double)shift[a].y, sum = 0;

    for (int k = 0; k < 6; k++) {
        int bi = x + around[k][0], bj = y + around[k][1];
        int ci = x + around[k + 1][0], cj = y + around[k + 1][1];
        int b = bj * nx + bi, c = cj * nx + ci;
        int e = 2 * ((y + element[k][1]) * (nx - 1) + x + element[k][0]) + element[k][2];
        double bx = bi + (double)shift[b].x, by = bj + (double)shift[b].y;
        double cx = ci + (double)shift[c].x, cy = cj + (double)shift[c].y;
        double at_b = cot_at(bx, by, ax, ay, cx, cy), at_c = cot_at(cx, cy, ax, ay, bx, by);
        sum += kappa[e] / 2.0 * (at_c * ((double)temperature[a] - temperature[b]) +
                                 at_b * ((double)temperature[a] - temperature[c]));
    }
    residual[(y - 1) * (nx - 2) + x - 1] = (float)sum;
}
