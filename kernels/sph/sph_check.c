/* The reference of sph, in double. Each phase is compared with the expected result for its actual
 * inputs, which are the initial particles and the results of the phases before. Each tolerance
 * therefore covers the rounding of one phase only. Density and force are checked for sampled
 * particles, all other fields for every particle.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tolerances count roundings in u = 2^-24, and only terms linear in u: an operation 1, a quotient 5
 * (2.5 units in the last place), a square root 6 (3 units).
 */
#include "kernels/sph/sph.h"

#include <math.h>

#include "program/common.h"

enum { SAMPLES = 1 << 16, MAX_ROWS = 16 };

static const double u = 0x1p-24;

typedef struct {
    const pm_sph_fluid *fluid;
    const pm_sph_particle *initial, *got;
    const int32_t *cell_start;
} step;

/* Particles first to last - 1, which are in neighbouring cells of a row along x. */
typedef struct {
    size_t first, last;
} row;

/* Finds the rows of all cells that contain a point within h of a position. h is increased a little,
 * so that rounding does not matter. */
static size_t rows_around(const step *s, const float *pos, row rows[MAX_ROWS])
{
    const int32_t *cells = s->fluid->cells;
    const double h = (double)s->fluid->h;
    int first[3], last[3];
    size_t count = 0;

    for (int axis = 0; axis < 3; axis++) {
        double at = (double)pos[axis] / h;
        first[axis] = (int)fmax(floor(at - 1.001), 0);
        last[axis] = (int)fmin(floor(at + 1.001), cells[axis] - 1);
    }
    for (int z = first[2]; z <= last[2]; z++)
        for (int y = first[1]; y <= last[1] && count < MAX_ROWS; y++) {
            const int32_t *start = s->cell_start + (size_t)(z * cells[1] + y) * (size_t)cells[0];
            rows[count++] =
                (row){.first = (size_t)start[first[0]], .last = (size_t)start[last[0] + 1]};
        }
    return count;
}

/* Computes way = a - b and returns its squared length. */
static double distance2(const pm_sph_particle *a, const pm_sph_particle *b, double way[3])
{
    for (int axis = 0; axis < 3; axis++)
        way[axis] = (double)a->pos[axis] - (double)b->pos[axis];
    return way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
}

/* Tolerance: d = h^2 - r^2 has an error of at most 7 u h^2, so d^3 has 21 u h^2 d^2 + 2 u d^3. n
 * terms are added. */
static pm_status check_density(const step *s, size_t i, pm_error *err)
{
    const double h2 = (double)s->fluid->h * (double)s->fluid->h;
    const double factor = (double)s->fluid->mass_poly6;
    double squares = 0, cubes = 0, n = 0, way[3];
    row rows[MAX_ROWS];
    size_t count = rows_around(s, s->initial[i].pos, rows);

    for (size_t k = 0; k < count; k++)
        for (size_t j = rows[k].first; j < rows[k].last; j++) {
            double d = h2 - distance2(&s->initial[i], &s->initial[j], way);

            if (d > 0) {
                squares += d * d;
                cubes += d * d * d;
                n++;
            }
        }
    pm_tolerance tolerance = {.absolute = factor * u * (21 * h2 * squares + (n + 4) * cubes)};
    return pm_check_float("density", i, (double)s->got[i].density, factor * cubes, tolerance, err);
}

/* Force of the neighbours on a particle along each axis, with the factors in the kernel's order. */
typedef struct {
    double force[3];
    double size[3];  /* sum of the magnitudes of all terms */
    double slope[3]; /* derivative with respect to h - r, times h; the error of h - r is 8.5 u h */
    double n;        /* number of neighbours */
} forces;

static void add_force(forces *f, const step *s, const pm_sph_particle *own, size_t j,
                      const double pressures, const double way[3], double r)
{
    const pm_sph_particle *other = &s->initial[j];
    const double h = (double)s->fluid->h, w = h - r;
    const double share = (double)s->fluid->mass_spiky / (double)s->got[j].density;

    for (int axis = 0; axis < 3; axis++) {
        double push = 0.5 * pressures * share * w * w * way[axis] / r;
        double drag = (double)s->fluid->viscosity * share * w *
                      ((double)other->vel[axis] - (double)own->vel[axis]);
        f->force[axis] += push + drag;
        f->size[axis] += fabs(push) + fabs(drag);
        f->slope[axis] += (2 * fabs(push) + fabs(drag)) * h / w;
    }
    f->n++;
}

/* Tolerance: a term has at most 27 roundings besides the error of h - r. n terms are added, and the
 * quotient by the particle's own density costs 5 more. Gravity adds one rounding to the total. */
static pm_status check_force(const step *s, size_t i, pm_error *err)
{
    const pm_sph_particle *own = &s->initial[i], *got = &s->got[i];
    const double h = (double)s->fluid->h, density = (double)got->density;
    forces f = {.n = 0};
    row rows[MAX_ROWS];
    size_t count = rows_around(s, own->pos, rows);
    pm_status status = PM_OK;

    for (size_t k = 0; k < count; k++)
        for (size_t j = rows[k].first; j < rows[k].last; j++) {
            double way[3], r = sqrt(distance2(own, &s->initial[j], way));

            if (j != i && r < h)
                add_force(&f, s, own, j, (double)got->pressure + (double)s->got[j].pressure, way,
                          r);
        }
    for (int axis = 0; axis < 3 && !status; axis++) {
        static const char *const names[] = {"accel_x", "accel_y", "accel_z"};
        double gravity = axis == 1 ? (double)s->fluid->gravity : 0;
        double want = f.force[axis] / density - gravity;
        double error = u * ((f.n + 32) * f.size[axis] + 8.5 * f.slope[axis]) / density;

        status = pm_check_float(names[axis], i, (double)got->accel[axis], want,
                                (pm_tolerance){.relative = u, .absolute = error}, err);
    }
    return status;
}

/* Checks the pressure, which follows from the computed density by a difference and a product. The
 * density is never 0, because a particle counts itself. */
static pm_status check_pressure(const step *s, size_t i, pm_error *err)
{
    const pm_sph_fluid *f = s->fluid;
    const double density = (double)s->got[i].density, own = pow((double)f->h, 6);
    const double want = (double)f->stiffness * (density - (double)f->rest_density);

    if (!(density >= (1 - 16 * u) * (double)f->mass_poly6 * own))
        return pm_fail(err, PM_FAILED, "density[%zu] is %.9g: less than of one particle", i,
                       density);
    return pm_check_float("pressure", i, (double)s->got[i].pressure, fmax(want, 0),
                          (pm_tolerance){.relative = 2 * u}, err);
}

/* Checks position and velocity along an axis after the step. Each is a product and a sum, and the
 * tolerance is twice their rounding. If rounding decides whether the particle hits a wall, both
 * results are accepted. */
static pm_status check_axis(const step *s, size_t i, int axis, pm_error *err)
{
    static const char *const pos[] = {"pos_x", "pos_y", "pos_z"};
    static const char *const vel[] = {"vel_x", "vel_y", "vel_z"};
    const pm_sph_particle *initial = &s->initial[i], *got = &s->got[i];
    const double dt = (double)s->fluid->dt, change = dt * (double)got->accel[axis];
    const double v = (double)initial->vel[axis] + change, p0 = (double)initial->pos[axis];
    const double p = p0 + dt * v, got_v = (double)got->vel[axis];
    const double v_error = 2 * u * (fabs(change) + fabs(v));
    const double p_error = dt * v_error + 2 * u * (fabs(dt * v) + fabs(p));
    const double low = (double)s->fluid->low, high = (double)s->fluid->high[axis];
    const double wall = fabs(p - low) < fabs(p - high) ? low : high;
    const double bounced = -(double)s->fluid->bounce * v;
    bool hit = p < low || p > high;

    if (fabs(p - wall) <= p_error)
        hit = fabs(got_v - bounced) < fabs(got_v - v);
    pm_status status = pm_check_float(pos[axis], i, (double)got->pos[axis], hit ? wall : p,
                                      (pm_tolerance){.absolute = p_error}, err);
    if (status)
        return status;
    return pm_check_float(vel[axis], i, got_v, hit ? bounced : v,
                          (pm_tolerance){.absolute = v_error}, err);
}

pm_status pm_sph_check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const pm_sph_fluid fluid = pm_sph_fluid_of(pm_size_value(workload->size));
    const step s = {.fluid = &fluid,
                    .initial = workload->buffers[PM_SPH_PARTICLES].initial,
                    .got = outputs[PM_SPH_PARTICLES],
                    .cell_start = workload->buffers[PM_SPH_CELL_START].initial};
    const size_t n = fluid.n;
    pm_status status = pm_check_floats_written("particles", outputs[PM_SPH_PARTICLES],
                                               n * sizeof *s.got / sizeof(float), err);

    for (size_t i = 0; i < n && !status; i++) {
        status = check_pressure(&s, i, err);
        for (int axis = 0; axis < 3 && !status; axis++)
            status = check_axis(&s, i, axis, err);
    }
    for (size_t i = 0; i < SAMPLES && i < n && !status; i++) {
        size_t at = pm_sample_position(i, SAMPLES, n);

        status = check_density(&s, at, err);
        if (!status)
            status = check_force(&s, at, err);
    }
    return status;
}
