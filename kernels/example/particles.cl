/* What the template of workload files describes: one step of particles that fall on a floor and
 * bounce, each on its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
typedef struct {
    float x, y, z;    /* position */
    float vx, vy, vz; /* velocity */
    float mass;
    int bounces;
} Particle;

__kernel void move(__global Particle *particles, __global float *energy, int n, float dt)
{
    const int i = get_global_id(0);

    if (i >= n)
        return;
    const float gravity = -9.81f;
    float y = particles[i].y + dt * particles[i].vy;
    float vy = particles[i].vy + dt * gravity;

    if (y < 0.0f) {
        y = -y;
        vy = -0.5f * vy;
        particles[i].bounces++;
    }
    particles[i].x += dt * particles[i].vx;
    particles[i].y = y;
    particles[i].z += dt * particles[i].vz;
    particles[i].vy = vy;
    energy[i] = particles[i].mass *
                (0.5f * (particles[i].vx * particles[i].vx + vy * vy +
                         particles[i].vz * particles[i].vz) -
                 gravity * y);
}
