/* The iteration of cfd on the CPU in double. See reference.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Error bound. u is 2^-24. Errors are counted to first order, errors of momenta relative to |m|,
 * other errors relative to the value itself. Let a stage's variables have the error e. Then
 * velocities have the error 2e, and rho v^2 / 2 has 5e. The pressure has k e, with k = (GAMMA - 1)
 * (E + 5 rho v^2 / 2) / p, at least 3. The speed of sound has (k + 1)/2 e, so every term of a flux
 * has at most (k + 2) e.
 *
 * Rounding: a division costs 5 u and a square root 6 u (OpenCL C, "Relative error as ULPs"). So a
 * velocity has 5 u, rho v^2 / 2 has 15 u, a pressure (3 k + 2) u, and a speed of sound (1.5 k + 10)
 * u. A term of a flux, over 4 faces of 4 sums, has at most (3 k + 48) u. The step factor has (1.5 k
 * + 25) u, and its product with the flux is rounded once more.
 *
 * Let r be the largest of (step factor) (sum of a flux's terms, each positive) / (value). A stage
 * then leaves the error u + r ((k + 2) e + (5 k + 80) u). Each component of a momentum may have
 * this error, so for momenta r is multiplied by sqrt(3). A stage starts from the initial variables,
 * which have no error.
 */
#include "kernels/cfd/reference.h"

#include <math.h>
#include <stdlib.h>

#include "program/common.h"

enum { STAGES = 3, PARTS = 5 /* density, momentum, energy */ };

static const double gamma_ = 1.4, smoothing = 0.2, unit = 0x1p-24;

typedef struct {
    double value[PARTS];
} cell;

typedef struct {
    const cell *cell;
    double size[PARTS]; /* magnitudes that errors are relative to */
    double pressure, speed, signal_speed;
    double flux[PARTS][3];
    double flux_size[PARTS];
} state;

typedef struct {
    const pm_cfd_mesh *mesh;
    cell *initial, *now, *next;
    double *step_factors;
    cell far_field;
    double k, r; /* k: largest so far; r: largest of the stage */
    double error;
} run;

static cell load(const pm_cfd_cell *from)
{
    return (cell){{(double)from->density, (double)from->momentum[0], (double)from->momentum[1],
                   (double)from->momentum[2], (double)from->energy}};
}

static state state_of(const cell *c)
{
    const double density = c->value[0], energy = c->value[4], *momentum = c->value + 1;
    double length =
        sqrt(momentum[0] * momentum[0] + momentum[1] * momentum[1] + momentum[2] * momentum[2]);
    state s = {.cell = c, .size = {density, length, length, length, energy}};

    s.speed = length / density;
    s.pressure = (gamma_ - 1) * (energy - 0.5 * density * s.speed * s.speed);
    s.signal_speed = s.speed + sqrt(gamma_ * s.pressure / density);
    for (int axis = 0; axis < 3; axis++) {
        double velocity = momentum[axis] / density;

        s.flux[0][axis] = momentum[axis];
        for (int part = 0; part < 3; part++)
            s.flux[1 + part][axis] = velocity * momentum[part] + (part == axis ? s.pressure : 0);
        s.flux[4][axis] = velocity * (energy + s.pressure);
    }
    s.flux_size[0] = length;
    for (int part = 1; part < 4; part++)
        s.flux_size[part] = s.speed * length + s.pressure;
    s.flux_size[4] = s.speed * (energy + s.pressure);
    return s;
}

/* ---- one stage ------------------------------------------------------------------------------ */

/* Adds the flux through a face to flux, and the magnitudes of its terms to terms. */
static void add_face(const state *own, const state *other, const double normal[3], bool viscous,
                     double flux[PARTS], double terms[PARTS])
{
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double factor =
        viscous ? length * smoothing * 0.5 * (own->signal_speed + other->signal_speed) : 0;

    for (int part = 0; part < PARTS; part++) {
        for (int axis = 0; axis < 3; axis++)
            flux[part] += 0.5 * normal[axis] * (own->flux[part][axis] + other->flux[part][axis]);
        flux[part] += factor * (other->cell->value[part] - own->cell->value[part]);
        terms[part] += 0.5 * length * (own->flux_size[part] + other->flux_size[part]) +
                       factor * (own->size[part] + other->size[part]);
    }
}

static void add_wall(const state *own, const double normal[3], double flux[PARTS],
                     double terms[PARTS])
{
    for (int axis = 0; axis < 3; axis++) {
        flux[1 + axis] += normal[axis] * own->pressure;
        terms[1 + axis] += fabs(normal[axis]) * own->pressure;
    }
}

static void add_faces(const run *r, size_t i, const state *own, double flux[PARTS],
                      double terms[PARTS])
{
    const size_t n = r->mesh->elements;

    for (size_t j = 0; j < PM_CFD_FACES; j++) {
        int32_t neighbour = r->mesh->neighbours[i + j * n];
        const float *x = &r->mesh->normals[i + j * n];
        const double normal[3] = {(double)x[0], (double)x[PM_CFD_FACES * n],
                                  (double)x[(size_t)2 * PM_CFD_FACES * n]};

        if (neighbour == PM_CFD_WALL) {
            add_wall(own, normal, flux, terms);
        } else {
            state other = state_of(neighbour < 0 ? &r->far_field : &r->now[neighbour]);

            add_face(own, &other, normal, neighbour >= 0, flux, terms);
        }
    }
}

static void step_element(run *r, size_t i, int stage)
{
    state own = state_of(&r->now[i]);
    double flux[PARTS] = {0}, terms[PARTS] = {0};

    if (stage == 1)
        r->step_factors[i] = 0.5 / ((double)r->mesh->areas[i] * own.signal_speed);

    double factor = r->step_factors[i] / (STAGES + 1 - stage);
    double kinetic = 0.5 * own.cell->value[0] * own.speed * own.speed;

    add_faces(r, i, &own, flux, terms);
    r->k = fmax(r->k, (gamma_ - 1) * (own.cell->value[4] + 5 * kinetic) / own.pressure);
    for (int part = 0; part < PARTS; part++) {
        double spread = part >= 1 && part <= 3 ? sqrt(3) : 1;

        r->next[i].value[part] = r->initial[i].value[part] + factor * flux[part];
        r->r = fmax(r->r, spread * factor * terms[part] / own.size[part]);
    }
}

static void step(run *r, int stage)
{
    cell *swap = r->now;

    r->r = 0;
    for (size_t i = 0; i < r->mesh->elements; i++)
        step_element(r, i, stage);
    r->error = unit + r->r * ((r->k + 2) * r->error + (5 * r->k + 80) * unit);
    r->now = r->next;
    r->next = swap;
}

/* ---- check ---------------------------------------------------------------------------------- */

static pm_status compare(const run *r, const pm_cfd_cell *got, pm_error *err)
{
    static const char *const names[PARTS] = {"density", "momentum_x", "momentum_y", "momentum_z",
                                             "energy"};

    for (size_t i = 0; i < r->mesh->elements; i++) {
        state want = state_of(&r->now[i]);
        cell have = load(&got[i]);

        for (int part = 0; part < PARTS; part++)
            if (pm_check_float(names[part], i, have.value[part], want.cell->value[part],
                               (pm_tolerance){.absolute = r->error * want.size[part]}, err))
                return PM_FAILED;
    }
    return PM_OK;
}

pm_status pm_cfd_reference_check(const pm_cfd_mesh *mesh, const pm_cfd_cell *initial,
                                 const pm_cfd_cell *far_field, const pm_cfd_cell *got,
                                 pm_error *err)
{
    const size_t n = mesh->elements;
    cell *cells = malloc(3 * n * sizeof *cells);
    run r = {.mesh = mesh,
             .initial = cells,
             .step_factors = malloc(n * sizeof(double)),
             .far_field = load(far_field)};
    pm_status status;

    if (cells && r.step_factors) {
        r.now = cells + n;
        r.next = cells + 2 * n;
        for (size_t i = 0; i < n; i++)
            r.initial[i] = r.now[i] = load(&initial[i]);
        for (int stage = 1; stage <= STAGES; stage++)
            step(&r, stage);
        status = compare(&r, got, err);
    } else {
        status = pm_fail(err, PM_FAILED,
                         "no memory for the reference of %zu elements; close programs", n);
    }
    free(r.step_factors);
    free(cells);
    return status;
}
