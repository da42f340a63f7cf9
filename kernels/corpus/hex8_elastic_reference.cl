#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Returns the derivative along axis d of the shape function of node a at point q. */
double shape(int a, int q, int d)
{
    double value = 0.125;
    for (int k = 0; k < 3; k++) {
        double sign = a >> k & 1 ? 1 : -1, point = (q >> k & 1 ? 1 : -1) / sqrt(3.0);
        value *= k == d ? sign : 1 + sign * point;
    }
    return value;
}

/* Computes the force on a node: sigma : grad N, integrated over all elements around it. The mesh is
 * known to be regular. */
kernel void node_force(global const float *x, global const float *y, global const float *z,
                       global const float *displacement, global float *force, int side, float2 lame)
{
    int node = get_global_id(0), n1 = side + 1;
    if (node >= n1 * n1 * n1)
        return;
    double sum[3] = {0, 0, 0};
    for (int me = 0; me < 8; me++) {
        int ex = node % n1 - me % 2, ey = node / n1 % n1 - me / 2 % 2, ez = node / n1 / n1 - me / 4;
        if (min(ex, min(ey, ez)) < 0 || max(ex, max(ey, ez)) >= side)
            continue;
        for (int q = 0; q < 8; q++) {
            double J[3][3], H[3][3], I[3][3], G[3][3], mine[3];
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++) {
                    J[r][c] = H[r][c] = 0;
                    for (int a = 0; a < 8; a++) {
                        int at = ((ez + a / 4) * n1 + ey + a / 2 % 2) * n1 + ex + a % 2;
                        double place = r == 0 ? x[at] : r == 1 ? y[at] : z[at];
                        J[r][c] += place * shape(a, q, c);
                        H[r][c] += displacement[3 * at + r] * shape(a, q, c);
                    }
                }
            double det = 0;
            for (int c = 0; c < 3; c++)
                det += J[0][c] * (J[1][(c + 1) % 3] * J[2][(c + 2) % 3] - J[1][(c + 2) % 3] * J[2][(c + 1) % 3]);
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    I[c][r] = (J[(r + 1) % 3][(c + 1) % 3] * J[(r + 2) % 3][(c + 2) % 3] -
                               J[(r + 1) % 3][(c + 2) % 3] * J[(r + 2) % 3][(c + 1) % 3]) / det;
            double trace = 0;
            for (int r = 0; r < 3; r++) {
                mine[r] = 0;
                for (int c = 0; c < 3; c++) {
                    mine[r] += shape(me, q, c) * I[c][r];
                    G[r][c] = 0;
                    for (int k = 0; k < 3; k++)
                        G[r][c] += H[r][k] * I[k][c];
                }
                trace += G[r][r];
            }
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    sum[r] += (lame.y * (G[r][c] + G[c][r]) + (r == c ? lame.x * trace : 0)) * mine[c] * det;
        }
    }
    for (int r = 0; r < 3; r++)
        force[3 * node + r] = (float)sum[r];
}
