/* Definitions that the workload of sph and its check share: a particle, and the fluid in its tank.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_KERNELS_SPH_SPH_H
#define PM_KERNELS_SPH_SPH_H

#include <stddef.h>
#include <stdint.h>

#include "program/workload.h"

enum { PM_SPH_PARTICLES, PM_SPH_CELL_START }; /* indices of the buffers */

/* Same layout as in the kernels' source, with axes as arrays. */
typedef struct {
    float pos[3], vel[3], accel[3];
    float density, pressure;
} pm_sph_particle;

/* Parameters of the fluid in SI units. The kernels get the same numbers. */
typedef struct {
    size_t n;
    int32_t cells[3];   /* number of cells along each axis */
    float inverse_h, h; /* h: smoothing length and edge of a cell */
    float mass_poly6;   /* mass * 315 / (64 pi h^9) */
    float mass_spiky;   /* mass * 45 / (pi h^6) */
    float rest_density; /* pressure is positive above it */
    float stiffness;    /* pressure / density: squared speed of sound */
    float viscosity;    /* dynamic */
    float gravity;      /* along -y */
    float dt;
    float low, high[3]; /* bounds of a particle's centre */
    float bounce;       /* speed after / before hitting a wall */
} pm_sph_fluid;

#define PM_SPH_SPACING 0.01f /* distance of particles at rest */

pm_sph_fluid pm_sph_fluid_of(size_t n);
/* Fills the column layer by layer. jitter and velocity have 3 n values each. */
void pm_sph_fill_column(const pm_sph_fluid *f, pm_sph_particle *particles, const float *jitter,
                        const float *velocity);

/* Checks the outputs of a pass (a pm_check_fn). */
pm_status pm_sph_check(const pm_workload *workload, const void *const *outputs, pm_error *err);

#endif
