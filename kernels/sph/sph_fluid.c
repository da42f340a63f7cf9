/* The fluid of sph: its parameters in a tank of its size, and the particles at the start. See
 * sph.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "kernels/sph/sph.h"

static const float spacing = PM_SPH_SPACING;
/* 29 neighbours within h. It is no multiple of the spacing, so that cells have different numbers of
 * particles. */
static const float h = 0.019f;
static const float pi = 3.14159265f;

/* Returns the number of particles along an edge of the column's base. */
static size_t column_width(size_t n)
{
    return (size_t)ceil(cbrt((double)n / 2.0));
}

pm_sph_fluid pm_sph_fluid_of(size_t n)
{
    const float width = spacing * (float)(int32_t)column_width(n);
    const float tank[3] = {4.0f * width, 3.0f * width, width};
    const float density = 1000.0f, mass = density * spacing * spacing * spacing;
    const float h3 = h * h * h;
    pm_sph_fluid f = {.n = n,
                      .inverse_h = 1.0f / h,
                      .h = h,
                      .mass_poly6 = mass * 315.0f / (64.0f * pi * h3 * h3 * h3),
                      .mass_spiky = mass * 45.0f / (pi * h3 * h3),
                      .rest_density = density,
                      .stiffness = 100.0f,
                      .viscosity = 1.0f,
                      .gravity = 9.81f,
                      .dt = 0.0005f,
                      .low = 0.5f * spacing,
                      .bounce = 0.5f};

    for (int axis = 0; axis < 3; axis++) {
        f.high[axis] = tank[axis] - 0.5f * spacing;
        f.cells[axis] = (int32_t)(tank[axis] * f.inverse_h) + 1;
    }
    return f;
}

void pm_sph_fill_column(const pm_sph_fluid *f, pm_sph_particle *particles, const float *jitter,
                        const float *velocity)
{
    const size_t width = column_width(f->n);

    for (size_t i = 0; i < f->n; i++) {
        const size_t place[3] = {i % width, i / (width * width), i / width % width};
        pm_sph_particle *p = &particles[i];

        for (int axis = 0; axis < 3; axis++) {
            float at =
                f->low + spacing * (float)(int32_t)place[axis] + jitter[3 * i + (size_t)axis];

            p->pos[axis] = fminf(fmaxf(at, f->low), f->high[axis]);
            p->vel[axis] = velocity[3 * i + (size_t)axis];
            p->accel[axis] = NAN;
        }
        p->density = p->pressure = NAN;
    }
}
