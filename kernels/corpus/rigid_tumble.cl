#define SUBSTEPS 4

typedef struct {
    float pos[3];
    float vel[3];
    float quat[4];      /* w x y z */
    float omega[3];     /* body frame */
    float inertia[3];   /* principal */
    float bounce;
} Body;

__kernel void integrate(__global Body *bodies, int n, float dt)
{
    int gid = get_global_id(0);
    if (gid >= n)
        return;
    Body b = bodies[gid];

    for (int s = 0; s < SUBSTEPS; ++s) {
        /* drag torque and gyroscopic term */
        float tx = -0.05f * b.omega[0] + (b.inertia[1] - b.inertia[2]) * b.omega[1] * b.omega[2];
        float ty = -0.05f * b.omega[1] + (b.inertia[2] - b.inertia[0]) * b.omega[2] * b.omega[0];
        float tz = -0.05f * b.omega[2] + (b.inertia[0] - b.inertia[1]) * b.omega[0] * b.omega[1];
        b.omega[0] += dt * tx / b.inertia[0];
        b.omega[1] += dt * ty / b.inertia[1];
        b.omega[2] += dt * tz / b.inertia[2];

        /* q += dt/2 q * (0, omega) */
        float w = b.quat[0], x = b.quat[1], y = b.quat[2], z = b.quat[3];
        float h = 0.5f * dt;
        b.quat[0] += h * (-x * b.omega[0] - y * b.omega[1] - z * b.omega[2]);
        b.quat[1] += h * ( w * b.omega[0] + y * b.omega[2] - z * b.omega[1]);
        b.quat[2] += h * ( w * b.omega[1] + z * b.omega[0] - x * b.omega[2]);
        b.quat[3] += h * ( w * b.omega[2] + x * b.omega[1] - y * b.omega[0]);
        float len = sqrt(b.quat[0] * b.quat[0] + b.quat[1] * b.quat[1] +
                         b.quat[2] * b.quat[2] + b.quat[3] * b.quat[3]);
        for (int k = 0; k < 4; ++k)
            b.quat[k] = b.quat[k] / len;

        b.vel[2] -= 9.81f * dt;
        for (int k = 0; k < 3; ++k) {
            b.vel[k] -= 0.1f * dt * b.vel[k];
            b.pos[k] += dt * b.vel[k];
        }
        /* soft floor: a spring below 0.25 */
        float depth = 0.25f - b.pos[2];
        if (depth > 0.0f) {
            b.vel[2] += dt * 400.0f * depth * (b.vel[2] > 0.0f ? b.bounce : 1.0f);
            b.omega[0] *= 1.0f - 2.0f * depth * dt;
            b.omega[1] *= 1.0f - 2.0f * depth * dt;
        }
    }
    bodies[gid] = b;
}
