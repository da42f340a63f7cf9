#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// The classic Runge-Kutta method of fourth order with 400 equal steps, in double.
double3 pull(double3 p)
{
    double r = length(p), j = 1.5 * 0.02 / (r * r), zz = 5 * p.z * p.z / (r * r);
    return -p / (r * r * r) * (double3)(1 + j * (1 - zz), 1 + j * (1 - zz), 1 + j * (3 - zz));
}

__kernel void propagate(__global const float *x, __global const float *z, __global const float *speed,
                        __global const float *tilt, __global float *out, int n, float t_end)
{
    int id = get_global_id(0);
    if (id >= n)
        return;
    double angle = tilt[id], h = t_end / 400.0;
    double3 p = (double3)(x[id], 0, z[id]), v = speed[id] * (double3)(0, cos(angle), sin(angle));
    for (int i = 0; i < 400; i++) {
        double3 v1 = v, a1 = pull(p);
        double3 v2 = v + h / 2 * a1, a2 = pull(p + h / 2 * v1);
        double3 v3 = v + h / 2 * a2, a3 = pull(p + h / 2 * v2);
        double3 v4 = v + h * a3, a4 = pull(p + h * v3);
        p += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    out[id] = (float)p.x;
    out[n + id] = (float)p.y;
    out[2 * n + id] = (float)p.z;
    out[3 * n + id] = (float)v.x;
    out[4 * n + id] = (float)v.y;
    out[5 * n + id] = (float)v.z;
}
