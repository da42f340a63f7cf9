/* One time step of a fluid by smoothed particle hydrodynamics, one work-item a particle: density
 * and pressure, then forces, then velocity and position. The smoothing kernels are those of Müller,
 * Charypar and Gross (2003, "Particle-based fluid simulation for interactive applications").
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Particles are sorted by cell of a uniform grid whose cells are as wide as the smoothing length h:
 * those of cell c are cell_start[c] to cell_start[c + 1] - 1, and all neighbours of a particle are
 * in the 27 cells around it. Each phase writes only fields that it does not read of other
 * particles.
 */
typedef struct {
    float pos_x, pos_y, pos_z;
    float vel_x, vel_y, vel_z;
    float accel_x, accel_y, accel_z;
    float density;
    float pressure;
} Particle;

/* mass_poly6: a particle's mass times 315 / (64 pi h^9). */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
density(__global Particle *particles, __global const int *cell_start, int n, int cells_x,
        int cells_y, int cells_z, float inverse_h, float h, float mass_poly6, float rest_density,
        float stiffness)
{
    const int i = get_global_id(0);

    if (i >= n)
        return;
    const float pos_x = particles[i].pos_x;
    const float pos_y = particles[i].pos_y;
    const float pos_z = particles[i].pos_z;
    const int cell_x = (int)(pos_x * inverse_h);
    const int cell_y = (int)(pos_y * inverse_h);
    const int cell_z = (int)(pos_z * inverse_h);
    float sum = 0.0f;

    for (int z = max(cell_z - 1, 0); z <= min(cell_z + 1, cells_z - 1); z++)
        for (int y = max(cell_y - 1, 0); y <= min(cell_y + 1, cells_y - 1); y++)
            for (int x = max(cell_x - 1, 0); x <= min(cell_x + 1, cells_x - 1); x++) {
                const int cell = (z * cells_y + y) * cells_x + x;
                const int end = cell_start[cell + 1];

                for (int j = cell_start[cell]; j < end; j++) {
                    const float dx = pos_x - particles[j].pos_x;
                    const float dy = pos_y - particles[j].pos_y;
                    const float dz = pos_z - particles[j].pos_z;
                    const float r2 = dx * dx + dy * dy + dz * dz;

                    if (r2 < h * h) {
                        const float d = h * h - r2;
                        sum += d * d * d;
                    }
                }
            }

    const float value = mass_poly6 * sum;
    particles[i].density = value;
    particles[i].pressure = fmax(stiffness * (value - rest_density), 0.0f);
}

/* mass_spiky: a particle's mass times 45 / (pi h^6), the factor of the pressure kernel's gradient
 * and of the viscosity kernel's Laplacian. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
force(__global Particle *particles, __global const int *cell_start, int n, int cells_x, int cells_y,
      int cells_z, float inverse_h, float h, float mass_spiky, float viscosity, float gravity)
{
    const int i = get_global_id(0);

    if (i >= n)
        return;
    const float pos_x = particles[i].pos_x;
    const float pos_y = particles[i].pos_y;
    const float pos_z = particles[i].pos_z;
    const float vel_x = particles[i].vel_x;
    const float vel_y = particles[i].vel_y;
    const float vel_z = particles[i].vel_z;
    const float own_density = particles[i].density;
    const float own_pressure = particles[i].pressure;
    const int cell_x = (int)(pos_x * inverse_h);
    const int cell_y = (int)(pos_y * inverse_h);
    const int cell_z = (int)(pos_z * inverse_h);
    float force_x = 0.0f, force_y = 0.0f, force_z = 0.0f;

    for (int z = max(cell_z - 1, 0); z <= min(cell_z + 1, cells_z - 1); z++)
        for (int y = max(cell_y - 1, 0); y <= min(cell_y + 1, cells_y - 1); y++)
            for (int x = max(cell_x - 1, 0); x <= min(cell_x + 1, cells_x - 1); x++) {
                const int cell = (z * cells_y + y) * cells_x + x;
                const int end = cell_start[cell + 1];

                for (int j = cell_start[cell]; j < end; j++) {
                    __global const Particle *other = &particles[j];
                    const float dx = pos_x - other->pos_x;
                    const float dy = pos_y - other->pos_y;
                    const float dz = pos_z - other->pos_z;
                    const float r2 = dx * dx + dy * dy + dz * dz;

                    if (j != i && r2 < h * h) {
                        const float r = sqrt(r2);
                        const float w = mass_spiky * (h - r) / other->density;
                        const float push =
                            0.5f * (own_pressure + other->pressure) * w * (h - r) / r;
                        const float drag = viscosity * w;

                        force_x += push * dx + drag * (other->vel_x - vel_x);
                        force_y += push * dy + drag * (other->vel_y - vel_y);
                        force_z += push * dz + drag * (other->vel_z - vel_z);
                    }
                }
            }

    particles[i].accel_x = force_x / own_density;
    particles[i].accel_y = force_y / own_density - gravity;
    particles[i].accel_z = force_z / own_density;
}

/* Moves a particle that would pass a wall back to the wall, and reverses and reduces its
 * velocity. */
static void collide(float *pos, float *vel, float low, float high, float bounce)
{
    if (*pos < low) {
        *pos = low;
        *vel *= -bounce;
    } else if (*pos > high) {
        *pos = high;
        *vel *= -bounce;
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
position(__global Particle *particles, int n, float dt, float low, float high_x, float high_y,
         float high_z, float bounce)
{
    const int i = get_global_id(0);

    if (i >= n)
        return;
    float vel_x = particles[i].vel_x + dt * particles[i].accel_x;
    float vel_y = particles[i].vel_y + dt * particles[i].accel_y;
    float vel_z = particles[i].vel_z + dt * particles[i].accel_z;
    float pos_x = particles[i].pos_x + dt * vel_x;
    float pos_y = particles[i].pos_y + dt * vel_y;
    float pos_z = particles[i].pos_z + dt * vel_z;

    collide(&pos_x, &vel_x, low, high_x, bounce);
    collide(&pos_y, &vel_y, low, high_y, bounce);
    collide(&pos_z, &vel_z, low, high_z, bounce);
    particles[i].pos_x = pos_x;
    particles[i].pos_y = pos_y;
    particles[i].pos_z = pos_z;
    particles[i].vel_x = vel_x;
    particles[i].vel_y = vel_y;
    particles[i].vel_z = vel_z;
}
