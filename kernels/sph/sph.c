/* sph: one time step of a dam break by smoothed particle hydrodynamics. The program and its struct
 * are from Takada and Ohno (2016, data layouts for a particle method on GPUs). The smoothing
 * kernels and the equation of state are from Müller, Charypar and Gross (2003).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A column of water is at one end of a closed tank. It is as deep as the tank, as wide as deep, and
 * about twice as high. Particles start near their rest positions with small velocities. Fields that
 * the step computes start as NaN.
 */
#include "kernels/sph/sph.h"

#include <stdlib.h>

#include "program/common.h"
#include "program/program.h"

enum { GROUP = 128 };

/* The layouts of Takada and Ohno (2016), section 3.1. */
#define POS "pos_x+pos_y+pos_z"
#define VEL "vel_x+vel_y+vel_z"
#define ACCEL "accel_x+accel_y+accel_z"
static const pm_named_layout layouts[] = {
    {"3-3-3-2", "cluster:" POS "/" VEL "/" ACCEL "/density+pressure"},
    {"3-3-3-2-align", "cluster-align:" POS "/" VEL "/" ACCEL "/density+pressure"},
    {"8-3", "cluster:" POS "+" VEL "+density+pressure/" ACCEL},
    {"8-3-align", "cluster-align:" POS "+" VEL "+density+pressure/" ACCEL},
    {"4-4-3", "cluster:" POS "+density/" VEL "+pressure/" ACCEL},
    {"4-4-3-align", "cluster-align:" POS "+density/" VEL "+pressure/" ACCEL},
    {NULL, NULL}};

/* ---- particles ------------------------------------------------------------------------------ */

static size_t cell_of(const pm_sph_fluid *f, const pm_sph_particle *p)
{
    size_t cell = 0;

    for (int axis = 2; axis >= 0; axis--)
        cell = cell * (size_t)f->cells[axis] + (size_t)(p->pos[axis] * f->inverse_h);
    return cell;
}

static size_t cell_count(const pm_sph_fluid *f)
{
    return (size_t)f->cells[0] * (size_t)f->cells[1] * (size_t)f->cells[2];
}

/* Counting sort by cell. start has one member more than there are cells, and all are zero. */
static void sort_by_cell(const pm_sph_fluid *f, const pm_sph_particle *from, pm_sph_particle *to,
                         int32_t *start)
{
    for (size_t i = 0; i < f->n; i++)
        start[cell_of(f, &from[i])]++;
    for (size_t cell = 0; cell < cell_count(f); cell++)
        start[cell + 1] += start[cell];
    for (size_t i = f->n; i-- > 0;)
        to[--start[cell_of(f, &from[i])]] = from[i];
}

static void add_buffers(pm_workload *workload, const pm_sph_fluid *f, uint64_t seed)
{
    const size_t values = 3 * f->n, bytes = f->n * sizeof(pm_sph_particle);
    const size_t start_bytes = (cell_count(f) + 1) * sizeof(int32_t);
    pm_sph_particle *particles = pm_workload_contents(workload, bytes);
    int32_t *start = pm_workload_contents(workload, start_bytes);
    pm_sph_particle *unsorted = pm_buffer_alloc(workload, bytes);
    float *jitter = pm_buffer_alloc(workload, values * sizeof *jitter);
    float *velocity = pm_buffer_alloc(workload, values * sizeof *velocity);

    if (!workload->error.status) {
        pm_random_floats(jitter, values, -0.2f * PM_SPH_SPACING, 0.2f * PM_SPH_SPACING, seed,
                         "jitter");
        pm_random_floats(velocity, values, -0.1f, 0.1f, seed, "velocity");
        pm_sph_fill_column(f, unsorted, jitter, velocity);
        sort_by_cell(f, unsorted, particles, start);
    }
    free(unsorted);
    free(jitter);
    free(velocity);
    pm_workload_buffer(workload, "particles", bytes, particles,
                       PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_buffer(workload, "cell_start", start_bytes, start, PM_BUFFER_IN);
}

/* ---- workload ------------------------------------------------------------------------------- */

static void add_launch(pm_workload *workload, const pm_sph_fluid *f, const char *kernel)
{
    pm_workload_launch(workload, kernel, 1, (size_t[]){(f->n + GROUP - 1) / GROUP * GROUP},
                       (size_t[]){GROUP});
    pm_workload_arg_buffer(workload, PM_SPH_PARTICLES);
}

/* Adds the arguments that both phases with neighbours have. */
static void add_neighbour_args(pm_workload *workload, const pm_sph_fluid *f)
{
    PM_ARGS(workload, PM_BUFFER(PM_SPH_CELL_START), PM_INT(f->n), PM_INT(f->cells[0]),
            PM_INT(f->cells[1]), PM_INT(f->cells[2]), PM_FLOAT(f->inverse_h), PM_FLOAT(f->h));
}

static void add_launches(pm_workload *workload, const pm_sph_fluid *f)
{
    add_launch(workload, f, "density");
    add_neighbour_args(workload, f);
    PM_ARGS(workload, PM_FLOAT(f->mass_poly6), PM_FLOAT(f->rest_density), PM_FLOAT(f->stiffness));

    add_launch(workload, f, "force");
    add_neighbour_args(workload, f);
    PM_ARGS(workload, PM_FLOAT(f->mass_spiky), PM_FLOAT(f->viscosity), PM_FLOAT(f->gravity));

    add_launch(workload, f, "position");
    PM_ARGS(workload, PM_INT(f->n), PM_FLOAT(f->dt), PM_FLOAT(f->low), PM_FLOAT(f->high[0]),
            PM_FLOAT(f->high[1]), PM_FLOAT(f->high[2]), PM_FLOAT(f->bounce));
}

static void build(pm_workload *workload, uint64_t seed)
{
    const pm_sph_fluid f = pm_sph_fluid_of(pm_size_value(workload->size));

    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP=%d", GROUP);
    add_buffers(workload, &f, seed);
    add_launches(workload, &f);
    workload->check = pm_sph_check;
    workload->work = (double)f.n;
}

const pm_program pm_program_sph = {
    .info = {.name = "sph",
             .title = "one step of a dam break by smoothed particles",
             .layouts = true,
             .base = "aos",
             .variants = PM_NAMES("aos", "aos-align", "soa", "asta:32", "3-3-3-2", "3-3-3-2-align",
                                  "8-3", "8-3-align", "4-4-3", "4-4-3-align"),
             .sizes = PM_NAMES("10000", "100000", "500000", "800000")},
    .build = build,
    .layouts = layouts,
};
