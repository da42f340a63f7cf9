/* Makes the fluid and its particles at the start of the simulation. A column of water is at one end
 * of a closed tank. It is as deep as the tank, as wide as deep, and about twice as high. Particles
 * start near their rest positions with small velocities. Fields that the step computes start as
 * NaN.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL FP_CONTRACT OFF

#define SPACING 0.01f /* distance between particles at rest, in m */
/* Smoothing length in m, within which a particle at rest has 29 neighbours. It is no multiple of
 * the spacing, so that cells have different numbers of particles. */
#define H 0.019f
#define PI 3.14159265f

typedef struct {
    float pos[3], vel[3], accel[3];
    float density;
    float pressure;
} Particle;

/* Parameters of the fluid, by their index in `fluid`; SI units. */
enum {
    INVERSE_H,
    MASS_POLY6, /* mass of a particle times 315 / (64 pi h^9) */
    MASS_SPIKY, /* mass of a particle times 45 / (pi h^6) */
    LOW,        /* lower bound of a particle's centre */
    HIGH        /* upper bound of a particle's centre along x; y and z follow */
};

/* Computes the parameters of the fluid. Launched with one work-item. width: number of particles
 * along an edge of the column's base. */
__kernel void make_fluid(__global float *fluid, int width)
{
    const float edge = SPACING * (float)width, tank[3] = {4.0f * edge, 3.0f * edge, edge};
    const float density = 1000.0f, mass = density * SPACING * SPACING * SPACING, h3 = H * H * H;

    fluid[INVERSE_H] = 1.0f / H;
    fluid[MASS_POLY6] = mass * 315.0f / (64.0f * PI * h3 * h3 * h3);
    fluid[MASS_SPIKY] = mass * 45.0f / (PI * h3 * h3);
    fluid[LOW] = 0.5f * SPACING;
    for (int axis = 0; axis < 3; axis++)
        fluid[HIGH + axis] = tank[axis] - 0.5f * SPACING;
}

/* Places the particles in the column, layer by layer. */
__kernel void fill_column(__global const float *fluid, __global const float *jitter,
                          __global const float *velocity, __global Particle *particles, int n, int width)
{
    const int i = get_global_id(0);
    const int place[3] = {i % width, i / (width * width), i / width % width};

    if (i >= n)
        return;
    for (int axis = 0; axis < 3; axis++) {
        const float at = fluid[LOW] + SPACING * (float)place[axis] + jitter[3 * i + axis];

        particles[i].pos[axis] = fmin(fmax(at, fluid[LOW]), fluid[HIGH + axis]);
        particles[i].vel[axis] = velocity[3 * i + axis];
        particles[i].accel[axis] = NAN;
    }
    particles[i].density = particles[i].pressure = NAN;
}

static int cell_of(__global const Particle *p, int cells_x, int cells_y)
{
    const float inverse_h = 1.0f / H;

    return ((int)(p->pos[2] * inverse_h) * cells_y + (int)(p->pos[1] * inverse_h)) * cells_x +
           (int)(p->pos[0] * inverse_h);
}

/* Sorts the particles by cell, by counting. Launched with one work-item. All of `start` must be
 * 0. */
__kernel void sort_by_cell(__global const Particle *from, __global Particle *to, __global int *start, int n,
                           int cells_x, int cells_y, int cells_z)
{
    const int cells = cells_x * cells_y * cells_z;

    for (int i = 0; i < n; i++)
        start[cell_of(&from[i], cells_x, cells_y)]++;
    for (int cell = 0; cell < cells; cell++)
        start[cell + 1] += start[cell];
    for (int i = n; i-- > 0;)
        to[--start[cell_of(&from[i], cells_x, cells_y)]] = from[i];
}
