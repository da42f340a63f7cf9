#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// Computes all pairs of particles in double, without a grid.
__kernel void place(__global const int *home, __global const float2 *jitter, __global float2 *pos)
{
    int i = get_global_id(0);
    pos[i].x = home[i] % GRID + jitter[i].x;
    pos[i].y = home[i] / GRID + jitter[i].y;
}

__kernel void density(__global const float2 *pos, __global float *rho)
{
    int i = get_global_id(0), n = get_global_size(0);
    double sum = 0;
    for (int j = 0; j < n; j++) {
        double dx = (double)pos[j].x - pos[i].x, dy = (double)pos[j].y - pos[i].y;
        double q = fmax(1 - dx * dx - dy * dy, 0.0);
        sum += q * q * q;
    }
    rho[i] = (float)(4 / M_PI * sum);
}

__kernel void forces(__global const float2 *pos, __global const float2 *vel, __global const float *rho,
                     __global float2 *acc)
{
    int i = get_global_id(0), n = get_global_size(0);
    double fx = 0, fy = 0;
    for (int j = 0; j < n; j++) {
        double dx = (double)pos[j].x - pos[i].x, dy = (double)pos[j].y - pos[i].y;
        double r2 = dx * dx + dy * dy;
        if (r2 >= 1 || i == j)
            continue;
        double r = sqrt(r2), w = (1 - r) / rho[j];
        double push = 1.5 * (rho[i] + (double)rho[j] - 7) * 30 / M_PI * (1 - r) * w / r;
        fx += 0.8 * 40 / M_PI * w * ((double)vel[j].x - vel[i].x) - push * dx;
        fy += 0.8 * 40 / M_PI * w * ((double)vel[j].y - vel[i].y) - push * dy;
    }
    acc[i].x = (float)(fx / rho[i]);
    acc[i].y = (float)(fy / rho[i] - 9.81);
}
