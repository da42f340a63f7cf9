/* q: depth and two momenta. Flux through faces across direction d (0: x, 1: y). */
void flux(const double q[3], int d, double f[3])
{
    double speed = q[1 + d] / q[0];
    f[0] = q[1 + d];
    f[1] = q[1] * speed;
    f[2] = q[2] * speed;
    f[1 + d] += 9.81 / 2 * q[0] * q[0];
}

__kernel void lax_friedrichs(__global const float *h, __global const float *u,
                             __global const float *v, __global float *hn, __global float *un,
                             __global float *vn, float ratio)
{
    int w = get_global_size(0);
    int p[2] = {get_global_id(0), get_global_id(1)};
    double sum[3] = {0, 0, 0};

    for (int d = 0; d < 2; d++)
        for (int side = -1; side <= 1; side += 2) {
            int n[2] = {p[0], p[1]};
            n[d] = (n[d] + side + w) % w;
            int at = n[1] * w + n[0];
            double q[3] = {h[at], u[at], v[at]}, f[3];
            flux(q, d, f);
            for (int c = 0; c < 3; c++)
                sum[c] += q[c] / 4 - side * ratio * f[c] / 2;
        }
    hn[p[1] * w + p[0]] = (float)sum[0];
    un[p[1] * w + p[0]] = (float)sum[1];
    vn[p[1] * w + p[0]] = (float)sum[2];
}
