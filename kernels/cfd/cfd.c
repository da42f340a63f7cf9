/* cfd: one iteration of an explicit finite-volume solver of the 3-D Euler equations on an
 * unstructured mesh. It follows Corrigan, Camelli, Löhner and Wallin ("Running unstructured
 * grid-based CFD solvers on modern graphics hardware", Int. J. Numerical Methods in Fluids 66,
 * 2011), whose solver is also in the Rodinia suite.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes are multiples of the work-group size, so that no element is padding.
 */
#include "program/common.h"

#include <stdlib.h>

#include "kernels/cfd/mesh.h"
#include "kernels/cfd/reference.h"
#include "program/program.h"

enum { GROUP = 192, STAGES = 3, PARTS = 5 };

static const pm_named_layout layouts[] = {
    {"4-1-align", "cluster-align:density+momentum_x+momentum_y+momentum_z/energy"}, {NULL, NULL}};

/* Indices of the buffers. */
enum { VARIABLES, OLD_VARIABLES, FLUXES, STEP_FACTORS, NEIGHBOURS, NORMALS, AREAS };

/* Returns the state with a density, velocity and pressure, from which the energy follows. */
static pm_cfd_cell cell_of(double density, const double velocity[3], double pressure)
{
    double square =
        velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
    pm_cfd_cell c = {.density = (float)density,
                     .energy = (float)(pressure / 0.4 + 0.5 * density * square)};

    for (int axis = 0; axis < 3; axis++)
        c.momentum[axis] = (float)(density * velocity[axis]);
    return c;
}

/* Mach 1.2 along x: the speed of sound is 1. */
static pm_cfd_cell far_field(void)
{
    return cell_of(1.4, (const double[3]){1.2, 0, 0}, 1.0);
}

/* Fills the variables with the far field, disturbed by up to 10 % in every element. */
static void add_variables(pm_workload *workload, size_t elements, uint64_t seed)
{
    pm_cfd_cell *initial = pm_workload_contents(workload, elements * sizeof *initial);
    float *uniform = pm_buffer_alloc(workload, PARTS * elements * sizeof *uniform);

    if (initial && uniform) {
        pm_random_floats(uniform, PARTS * elements, -0.1f, 0.1f, seed, "variables");
        for (size_t i = 0; i < elements; i++) {
            const float *x = uniform + PARTS * i;
            const double velocity[3] = {1.2 + (double)x[1], (double)x[2], (double)x[3]};

            initial[i] = cell_of(1.4 * (1 + (double)x[0]), velocity, 1 + (double)x[4]);
        }
    }
    free(uniform);
    pm_workload_buffer(workload, "variables", elements * sizeof *initial, initial,
                       PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
}

static void add_mesh(pm_workload *workload, size_t elements, uint64_t seed)
{
    const size_t faces = elements * PM_CFD_FACES;
    pm_cfd_mesh mesh = {.elements = elements};

    mesh.neighbours = pm_workload_contents(workload, faces * sizeof *mesh.neighbours);
    mesh.normals = pm_workload_contents(workload, 3 * faces * sizeof *mesh.normals);
    mesh.areas = pm_workload_contents(workload, elements * sizeof *mesh.areas);
    if (mesh.neighbours && mesh.normals && mesh.areas)
        pm_cfd_mesh_make(workload, &mesh, seed);
    pm_workload_buffer(workload, "neighbours", faces * sizeof *mesh.neighbours, mesh.neighbours,
                       PM_BUFFER_IN);
    pm_workload_buffer(workload, "normals", 3 * faces * sizeof *mesh.normals, mesh.normals,
                       PM_BUFFER_IN);
    pm_workload_buffer(workload, "areas", elements * sizeof *mesh.areas, mesh.areas, PM_BUFFER_IN);
}

static void add_buffers(pm_workload *workload, size_t elements, uint64_t seed)
{
    const size_t cells = elements * sizeof(pm_cfd_cell);

    add_variables(workload, elements, seed);
    pm_workload_buffer(workload, "old_variables", cells, NULL, PM_BUFFER_IN);
    pm_workload_buffer(workload, "fluxes", cells, NULL, PM_BUFFER_IN);
    pm_workload_buffer(workload, "step_factors", elements * sizeof(float), NULL, PM_BUFFER_IN);
    add_mesh(workload, elements, seed);
}

/* ---- launches ------------------------------------------------------------------------------- */

static void launch(pm_workload *workload, const char *kernel, size_t elements)
{
    pm_workload_launch(workload, kernel, 1, (size_t[]){elements}, (size_t[]){GROUP});
}

static void add_flux(pm_workload *workload, size_t elements)
{
    const pm_cfd_cell far = far_field();

    launch(workload, "compute_flux", elements);
    PM_ARGS(workload, PM_INT(elements), PM_BUFFER(NEIGHBOURS), PM_BUFFER(NORMALS),
            PM_BUFFER(VARIABLES), PM_BUFFER(FLUXES), PM_FLOAT(far.density),
            PM_FLOAT(far.momentum[0]), PM_FLOAT(far.momentum[1]), PM_FLOAT(far.momentum[2]),
            PM_FLOAT(far.energy));
}

static void add_time_step(pm_workload *workload, size_t elements, int stage)
{
    launch(workload, "time_step", elements);
    PM_ARGS(workload, PM_INT(stage), PM_BUFFER(OLD_VARIABLES), PM_BUFFER(VARIABLES),
            PM_BUFFER(STEP_FACTORS), PM_BUFFER(FLUXES));
}

static void add_launches(pm_workload *workload, size_t elements)
{
    launch(workload, "copy_variables", elements);
    PM_ARGS(workload, PM_BUFFER(VARIABLES), PM_BUFFER(OLD_VARIABLES));
    launch(workload, "compute_step_factor", elements);
    PM_ARGS(workload, PM_BUFFER(VARIABLES), PM_BUFFER(AREAS), PM_BUFFER(STEP_FACTORS));
    for (int stage = 1; stage <= STAGES; stage++) {
        add_flux(workload, elements);
        add_time_step(workload, elements, stage);
    }
}

/* ---- check and workload --------------------------------------------------------------------- */

static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const pm_cfd_cell far = far_field();
    const pm_cfd_mesh mesh = {.elements = pm_size_value(workload->size),
                              .neighbours = workload->buffers[NEIGHBOURS].initial,
                              .normals = workload->buffers[NORMALS].initial,
                              .areas = workload->buffers[AREAS].initial};

    return pm_cfd_reference_check(&mesh, workload->buffers[VARIABLES].initial, &far,
                                  outputs[VARIABLES], err);
}

static void build(pm_workload *workload, uint64_t seed)
{
    const size_t elements = pm_size_value(workload->size);

    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP=%d", GROUP);
    add_buffers(workload, elements, seed);
    add_launches(workload, elements);
    workload->check = check;
    workload->work = STAGES * (double)elements;
}

const pm_program pm_program_cfd = {
    .info = {.name = "cfd",
             .title = "3-D Euler equations on an unstructured mesh",
             .layouts = true,
             .base = "aos",
             .variants = PM_NAMES("aos", "aos-align", "aos-align8", "soa", "asta:32", "4-1-align"),
             /* Size: number of elements, a multiple of GROUP. */
             .sizes = PM_NAMES("12288", "98304", "196608", "393216", "786432", "1572864")},
    .build = build,
    .layouts = layouts,
};
