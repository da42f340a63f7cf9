#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes what flows out of a cell through its four faces, with outward normals, in double. */
double pressureIn(double4 u) { return 0.4 * (u.w - (u.y * u.y + u.z * u.z) / (2 * u.x)); }

double4 through(double4 u, double nx, double ny)
{
    double v = (u.y * nx + u.z * ny) / u.x, p = pressureIn(u);
    return u * v + p * (double4)(0, nx, ny, v);
}

double speed(double4 u, double nx, double ny)
{
    return fabs(u.y * nx + u.z * ny) / u.x + sqrt(1.4 * pressureIn(u) / u.x);
}

__kernel void cellStep(__global const float *rho, __global const float *mx, __global const float *my,
                       __global const float *en, __global float *rho2, __global float *mx2,
                       __global float *my2, __global float *en2, float ratio)
{
    const int x = get_global_id(0), y = get_global_id(1), i = y * NX + x;
    const double4 u = (double4)(rho[i], mx[i], my[i], en[i]);
    double4 leaving = (double4)(0);
    for (int face = 0; face < 4; face++) {
        const int nx = (face == 0) - (face == 1), ny = (face == 2) - (face == 3);
        const int o = (y + ny + NY) % NY * NX + (x + nx + NX) % NX;
        const double4 v = (double4)(rho[o], mx[o], my[o], en[o]);
        leaving += (through(u, nx, ny) + through(v, nx, ny)) / 2 -
                   fmax(speed(u, nx, ny), speed(v, nx, ny)) / 2 * (v - u);
    }
    const double4 w = u - leaving * ratio;
    rho2[i] = (float)w.x;
    mx2[i] = (float)w.y;
    my2[i] = (float)w.z;
    en2[i] = (float)w.w;
}

__kernel void derived(__global const float *rho, __global const float *mx, __global const float *my,
                      __global const float *en, __global float *pressure, __global float *mach)
{
    const int i = get_global_id(0);
    const double4 u = (double4)(rho[i], mx[i], my[i], en[i]);
    pressure[i] = (float)pressureIn(u);
    mach[i] = (float)(sqrt(u.y * u.y + u.z * u.z) / u.x / sqrt(1.4 * pressureIn(u) / u.x));
}
