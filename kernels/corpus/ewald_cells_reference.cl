// Computes the forces in double, with one loop counter for all neighbouring cells.
__kernel void ewald_plain(__global const float* fx, __global const float* fy, __global const float* fz,
                          __global const float* charge, __global const int* taken, __global float4* force,
                          int m, float edge, float alpha)
{
    int id = get_global_id(0), c = id / CAP;
    if (id >= m * m * m * CAP)
        return;
    double acc[4] = {0, 0, 0, 0};
    if (id % CAP < taken[c])
        for (int n = 0; n < 27 * CAP; n++) {
            int k = n / CAP, s = n % CAP;
            int d[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            int q[3] = {(c % m + d[0] + m) % m, (c / m % m + d[1] + m) % m, (c / m / m + d[2] + m) % m};
            int o = q[0] + m * q[1] + m * m * q[2];
            int j = o * CAP + s;
            if (s >= taken[o] || j == id)
                continue;
            double v[3] = {(double)fx[id] - fx[j] - d[0], (double)fy[id] - fy[j] - d[1],
                           (double)fz[id] - fz[j] - d[2]};
            double r = edge * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            if (r >= edge)
                continue;
            double pot = erfc((double)alpha * r) / r;
            double slope = pot / r + 2 / sqrt(M_PI) * alpha * exp(-(double)alpha * alpha * r * r) / r;
            for (int a = 0; a < 3; a++)
                acc[a] += charge[j] * slope * edge * v[a] / r;
            acc[3] += charge[j] * pot;
        }
    force[id] = (float4)(acc[0], acc[1], acc[2], acc[3]) * charge[id];
}
