#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct {
    float pos[3];
    float vel[3];
    float quat[4];
    float omega[3];
    float inertia[3];
    float bounce;
} Body;

/* Integrates the same equations in double, with cross products and quaternion products written by
 * index. */
__kernel void integrate(__global Body *bodies, int n, float step)
{
    int id = get_global_id(0);
    if (id >= n)
        return;
    __global Body *g = bodies + id;
    double p[3], v[3], q[4], o[3], dt = 0.001;
    for (int k = 0; k < 3; k++) {
        p[k] = g->pos[k];
        v[k] = g->vel[k];
        o[k] = g->omega[k];
    }
    for (int k = 0; k < 4; k++)
        q[k] = g->quat[k];
    for (int s = 0; s < 4; s++) {
        double change[3], d[4], norm = 0;
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            double il = g->inertia[l], im = g->inertia[m];
            change[k] = ((il - im) * o[l] * o[m] - 0.05 * o[k]) / g->inertia[k];
        }
        for (int k = 0; k < 3; k++)
            o[k] += dt * change[k];
        d[0] = -(q[1] * o[0] + q[2] * o[1] + q[3] * o[2]);
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            d[k + 1] = q[0] * o[k] + q[l + 1] * o[m] - q[m + 1] * o[l];
        }
        for (int k = 0; k < 4; k++) {
            q[k] += dt / 2 * d[k];
            norm += q[k] * q[k];
        }
        for (int k = 0; k < 4; k++)
            q[k] /= sqrt(norm);
        v[2] -= 9.81 * dt;
        for (int k = 0; k < 3; k++) {
            v[k] *= 1 - 0.1 * dt;
            p[k] += dt * v[k];
        }
        double depth = fmax(0.25 - p[2], 0.0);
        v[2] += 400 * depth * dt * (v[2] > 0 ? g->bounce : 1);
        o[0] *= 1 - 2 * depth * dt;
        o[1] *= 1 - 2 * depth * dt;
    }
    for (int k = 0; k < 3; k++) {
        g->pos[k] = (float)p[k];
        g->vel[k] = (float)v[k];
        g->omega[k] = (float)o[k];
    }
    for (int k = 0; k < 4; k++)
        g->quat[k] = (float)q[k];
}
