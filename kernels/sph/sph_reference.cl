/* Checks the SPH kernels: computes the step in double. Each phase is computed from its actual
 * inputs, which are the particles at the start and the results of the checked version's earlier
 * phases. Each bound of the error therefore covers the rounding of one phase only. Density and
 * force are computed for one particle in each of `samples` equal ranges, all other fields for every
 * particle.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds count roundings in u = 2^-24, and only terms linear in u: an operation 1, a quotient 5
 * (2.5 units in the last place), a square root 6 (3 units). Every bound has one more rounding, that
 * of the reference's result to float.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define ULP (1.0 / (1 << 24))
#define MAX_ROWS 16

typedef struct {
    float pos[3], vel[3], accel[3];
    float density;
    float pressure;
} Particle;

/* Particles first to last - 1, which are in neighbouring cells of a row along x. */
typedef struct {
    int first, last;
} Row;

/* Finds the rows of all cells that contain a point within h of a position. h is increased a little, so that
 * rounding does not matter. */
static int rows_around(__global const int *cell_start, const int *cells, double h, __global const float *pos,
                       Row *rows)
{
    int first[3], last[3], count = 0;

    for (int axis = 0; axis < 3; axis++) {
        const double at = pos[axis] / h;

        first[axis] = (int)fmax(floor(at - 1.001), 0.0);
        last[axis] = (int)fmin(floor(at + 1.001), cells[axis] - 1.0);
    }
    for (int z = first[2]; z <= last[2]; z++)
        for (int y = first[1]; y <= last[1] && count < MAX_ROWS; y++) {
            __global const int *start = cell_start + (z * cells[1] + y) * cells[0];

            rows[count].first = start[first[0]];
            rows[count++].last = start[last[0] + 1];
        }
    return count;
}

/* Computes way = a - b and returns its squared length. */
static double distance2(__global const Particle *a, __global const Particle *b, double *way)
{
    for (int axis = 0; axis < 3; axis++)
        way[axis] = (double)a->pos[axis] - b->pos[axis];
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
}

/* Returns the index of the particle that work-item `id` checks: one in each of `samples` equal
 * ranges. */
static int sampled(int n, int samples)
{
    const uint id = get_global_id(0), range = (uint)n / (uint)samples;

    return id * range + id * 2654435761u % range;
}

/* Computes the density of a particle and the bound of its error. d = h^2 - r^2 has an error of at
 * most 7 u h^2, so d^3 has 21 u h^2 d^2 + 2 u d^3. The terms of all neighbours are added. */
__kernel void want_density(__global Particle *particles, __global Particle *errors,
                           __global const int *cell_start, int n, int samples, int cells_x, int cells_y,
                           int cells_z, float h, float mass_poly6)
{
    const int i = sampled(n, samples), cells[3] = {cells_x, cells_y, cells_z};
    const double h2 = (double)h * h, factor = mass_poly6;
    double squares = 0, cubes = 0, neighbours = 0, way[3];
    Row rows[MAX_ROWS];

    if (get_global_id(0) >= samples)
        return;
    const int count = rows_around(cell_start, cells, h, particles[i].pos, rows);
    for (int k = 0; k < count; k++)
        for (int j = rows[k].first; j < rows[k].last; j++) {
            const double d = h2 - distance2(&particles[i], &particles[j], way);

            if (d > 0) {
                squares += d * d;
                cubes += d * d * d;
                neighbours++;
            }
        }
    particles[i].density = factor * cubes;
    errors[i].density = factor * ULP * (21 * h2 * squares + (neighbours + 5) * cubes);
}

/* ---- force ----------------------------------------------------------------------------------------- */

/* Force of the neighbours on a particle along each axis, with the factors in the kernel's order. */
typedef struct {
    double force[3];
    double size[3];  /* sum of the magnitudes of all terms */
    double slope[3]; /* derivative with respect to h - r, times h; the error of h - r is 8.5 u h */
} Forces;

static void add_force(Forces *f, __global const Particle *own, __global const Particle *other,
                      double pressures, double share, double viscosity, double h, const double *way, double r)
{
    const double w = h - r;

    for (int axis = 0; axis < 3; axis++) {
        const double push = 0.5 * pressures * share * w * w * way[axis] / r;
        const double drag = viscosity * share * w * ((double)other->vel[axis] - own->vel[axis]);

        f->force[axis] += push + drag;
        f->size[axis] += fabs(push) + fabs(drag);
        f->slope[axis] += (2 * fabs(push) + fabs(drag)) * h / w;
    }
}

/* Computes the acceleration of a particle and the bound of its error. A term has at most 27
 * roundings besides the error of h - r. The terms of all neighbours are added, and the quotient by
 * the particle's own density costs 5 more. Gravity adds one rounding to the total. */
__kernel void want_force(__global Particle *particles, __global Particle *errors,
                         __global const Particle *results, __global const int *cell_start, int n, int samples,
                         int cells_x, int cells_y, int cells_z, float h, float mass_spiky, float viscosity,
                         float gravity)
{
    const int i = sampled(n, samples), cells[3] = {cells_x, cells_y, cells_z};
    Forces f = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double neighbours = 0, way[3];
    Row rows[MAX_ROWS];

    if (get_global_id(0) >= samples)
        return;
    const int count = rows_around(cell_start, cells, h, particles[i].pos, rows);
    for (int k = 0; k < count; k++)
        for (int j = rows[k].first; j < rows[k].last; j++) {
            const double r = sqrt(distance2(&particles[i], &particles[j], way));

            if (j == i || r >= h)
                continue;
            add_force(&f, &particles[i], &particles[j],
                      (double)results[i].pressure + results[j].pressure,
                      (double)mass_spiky / results[j].density, viscosity, h, way, r);
            neighbours++;
        }
    for (int axis = 0; axis < 3; axis++) {
        const double density = results[i].density;
        const double want = f.force[axis] / density - (axis == 1 ? gravity : 0.0);

        particles[i].accel[axis] = want;
        errors[i].accel[axis] =
            2 * ULP * fabs(want) +
            ULP * ((neighbours + 32) * f.size[axis] + 8.5 * f.slope[axis]) / density;
    }
}

/* ---- pressure and position ------------------------------------------------------------------------- */

/* Computes position and velocity along an axis after the step. Each is a product and a sum, and the
 * bound is twice their rounding. If rounding decides whether the particle hits a wall, both results
 * are correct. */
static void move_along(int axis, __global Particle *p, __global Particle *error, __global const Particle *result,
                       double dt, double low, double high, double bounce)
{
    const double change = dt * result->accel[axis], v = p->vel[axis] + change;
    const double at = p->pos[axis] + dt * v, bounced = -bounce * v, got = result->vel[axis];
    const double v_error = 2 * ULP * (fabs(change) + fabs(v));
    const double error_at = dt * v_error + 2 * ULP * (fabs(dt * v) + fabs(at));
    const double wall = fabs(at - low) < fabs(at - high) ? low : high;
    bool hit = at < low || at > high;

    if (fabs(at - wall) <= error_at)
        hit = fabs(got - bounced) < fabs(got - v);
    p->pos[axis] = hit ? wall : at;
    p->vel[axis] = hit ? bounced : v;
    error->pos[axis] = error_at + ULP * fabs(at);
    error->vel[axis] = v_error + ULP * fabs(v);
}

/* Computes pressure, position and velocity after the step. The pressure follows from the density by
 * a difference and a product. */
__kernel void want_position(__global Particle *particles, __global Particle *errors,
                            __global const Particle *results, int n, float rest_density, float stiffness,
                            float dt, float low, float high_x, float high_y, float high_z, float bounce)
{
    const int i = get_global_id(0);
    const float high[3] = {high_x, high_y, high_z};

    if (i >= n)
        return;
    const double pressure = fmax(stiffness * ((double)results[i].density - rest_density), 0.0);

    particles[i].pressure = pressure;
    errors[i].pressure = 3 * ULP * pressure;
    for (int axis = 0; axis < 3; axis++)
        move_along(axis, &particles[i], &errors[i], &results[i], dt, low, high[axis], bounce);
}
