/* The iteration in double, with a bound of the error of a computation in float.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Error bound. u is 2^-24. Errors are counted to first order, errors of momenta relative to |m|, other errors
 * relative to the value itself. Let a stage's variables have the error e. Then velocities have the error 2e,
 * and rho v^2 / 2 has 5e. The pressure has k e, with k = (GAMMA - 1) (E + 5 rho v^2 / 2) / p, at least 3. The
 * speed of sound has (k + 1)/2 e, so every term of a flux has at most (k + 2) e.
 *
 * Rounding: a division costs 5 u and a square root 6 u (OpenCL C, "Relative error as ULPs"). So a velocity
 * has 5 u, rho v^2 / 2 has 15 u, a pressure (3 k + 2) u, and a speed of sound (1.5 k + 10) u. A term of a
 * flux, over 4 faces of 4 sums, has at most (3 k + 48) u. The step factor has (1.5 k + 25) u, and its product
 * with the flux is rounded once more.
 *
 * Let r be the largest of (step factor) (sum of a flux's terms, each positive) / (value). A stage then leaves
 * the error u + r ((k + 2) e + (5 k + 80) u). Each component of a momentum may have this error, so for momenta
 * r is multiplied by sqrt(3). A stage starts from the initial variables, which have no error.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define FACES 4
#define WALL (-1)
#define STAGES 3
#define PARTS 5 /* components of the variables: density, three of the momentum, energy */
#define GAMMA 1.4
#define SMOOTHING 0.2
#define ULP (1.0 / (1 << 24))

typedef struct {
    float density;
    float momentum_x, momentum_y, momentum_z;
    float energy;
} Cell;

/* Quantities that are computed from the variables of an element. */
typedef struct {
    double value[PARTS];
    double size[PARTS]; /* magnitudes of the values, to which errors are relative */
    double pressure, speed, signal_speed;
    double flux[PARTS][3];
    double flux_size[PARTS];
} State;

static void set_state(State *s)
{
    const double density = s->value[0], energy = s->value[4], *momentum = s->value + 1;
    const double length =
        sqrt(momentum[0] * momentum[0] + momentum[1] * momentum[1] + momentum[2] * momentum[2]);

    s->size[0] = density;
    s->size[1] = s->size[2] = s->size[3] = length;
    s->size[4] = energy;
    s->speed = length / density;
    s->pressure = (GAMMA - 1) * (energy - 0.5 * density * s->speed * s->speed);
    s->signal_speed = s->speed + sqrt(GAMMA * s->pressure / density);
    for (int axis = 0; axis < 3; axis++) {
        const double velocity = momentum[axis] / density;

        s->flux[0][axis] = momentum[axis];
        for (int part = 0; part < 3; part++)
            s->flux[1 + part][axis] = velocity * momentum[part] + (part == axis ? s->pressure : 0);
        s->flux[4][axis] = velocity * (energy + s->pressure);
    }
    s->flux_size[0] = length;
    for (int part = 1; part < 4; part++)
        s->flux_size[part] = s->speed * length + s->pressure;
    s->flux_size[4] = s->speed * (energy + s->pressure);
}

static void load_state(__global const double *variables, int i, State *s)
{
    for (int part = 0; part < PARTS; part++)
        s->value[part] = variables[PARTS * i + part];
    set_state(s);
}

/* ---- one stage ------------------------------------------------------------------------------------- */

/* Adds the flux through a face to `flux`, and the magnitudes of its terms to `terms`. */
static void add_face(const State *own, const State *other, const double *normal, bool viscous, double *flux,
                     double *terms)
{
    const double length =
        sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    const double factor =
        viscous ? length * SMOOTHING * 0.5 * (own->signal_speed + other->signal_speed) : 0;

    for (int part = 0; part < PARTS; part++) {
        for (int axis = 0; axis < 3; axis++)
            flux[part] += 0.5 * normal[axis] * (own->flux[part][axis] + other->flux[part][axis]);
        flux[part] += factor * (other->value[part] - own->value[part]);
        terms[part] += 0.5 * length * (own->flux_size[part] + other->flux_size[part]) +
                       factor * (own->size[part] + other->size[part]);
    }
}

static void add_wall(const State *own, const double *normal, double *flux, double *terms)
{
    for (int axis = 0; axis < 3; axis++) {
        flux[1 + axis] += normal[axis] * own->pressure;
        terms[1 + axis] += fabs(normal[axis]) * own->pressure;
    }
}

__kernel void load(__global const Cell *variables, __global double *initial, __global double *now,
                   __global double *bounds)
{
    const int i = get_global_id(0);
    const double value[PARTS] = {variables[i].density, variables[i].momentum_x, variables[i].momentum_y,
                                 variables[i].momentum_z, variables[i].energy};

    for (int part = 0; part < PARTS; part++)
        initial[PARTS * i + part] = now[PARTS * i + part] = value[part];
    if (i < 2)
        bounds[i] = 0;
}

/* Computes an element's variables after a stage, and the element's k and r for the error bound
 * (described at the top of this file). */
__kernel void stage(int number, __global const double *initial, __global const double *now,
                    __global double *next, __global const int *neighbours, __global const float *normals,
                    __global const float *areas, __global double *each_k, __global double *each_r,
                    float far_density, float far_momentum_x, float far_energy)
{
    const int i = get_global_id(0), n = get_global_size(0);
    double flux[PARTS] = {0, 0, 0, 0, 0}, terms[PARTS] = {0, 0, 0, 0, 0}, largest = 0;
    State own, other;

    load_state(initial, i, &own);
    const double factor = 0.5 / (areas[i] * own.signal_speed) / (STAGES + 1 - number);

    load_state(now, i, &own);
    for (int face = i; face < FACES * n; face += n) {
        const int neighbour = neighbours[face];
        const double normal[3] = {normals[face], normals[face + FACES * n], normals[face + 2 * FACES * n]};

        if (neighbour == WALL) {
            add_wall(&own, normal, flux, terms);
            continue;
        }
        if (neighbour >= 0) {
            load_state(now, neighbour, &other);
        } else {
            other.value[0] = far_density;
            other.value[1] = far_momentum_x;
            other.value[2] = other.value[3] = 0;
            other.value[4] = far_energy;
            set_state(&other);
        }
        add_face(&own, &other, normal, neighbour >= 0, flux, terms);
    }
    const double kinetic = 0.5 * own.value[0] * own.speed * own.speed;

    each_k[i] = (GAMMA - 1) * (own.value[4] + 5 * kinetic) / own.pressure;
    for (int part = 0; part < PARTS; part++) {
        const double spread = part >= 1 && part <= 3 ? sqrt(3.0) : 1;

        next[PARTS * i + part] = initial[PARTS * i + part] + factor * flux[part];
        largest = fmax(largest, spread * factor * terms[part] / own.size[part]);
    }
    each_r[i] = largest;
}

/* ---- the error ------------------------------------------------------------------------------------- */

/* Computes the error bound after a stage, in one work-group. bounds[0] is the largest k so far.
 * bounds[1] becomes the error after the stage. */
__kernel void bound(__global const double *each_k, __global const double *each_r, __global double *bounds,
                    int n)
{
    __local double largest_k[64], largest_r[64];
    const int id = get_local_id(0);
    double k = 0, r = 0;

    for (int i = id; i < n; i += 64) {
        k = fmax(k, each_k[i]);
        r = fmax(r, each_r[i]);
    }
    largest_k[id] = k;
    largest_r[id] = r;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id > 0)
        return;
    for (int i = 1; i < 64; i++) {
        k = fmax(k, largest_k[i]);
        r = fmax(r, largest_r[i]);
    }
    k = fmax(k, bounds[0]);
    bounds[0] = k;
    bounds[1] = ULP + r * ((k + 2) * bounds[1] + (5 * k + 80) * ULP);
}

static Cell cell_of(const double *value)
{
    Cell c;

    c.density = value[0];
    c.momentum_x = value[1];
    c.momentum_y = value[2];
    c.momentum_z = value[3];
    c.energy = value[4];
    return c;
}

__kernel void store(__global const double *now, __global const double *bounds, __global Cell *variables,
                    __global Cell *errors)
{
    const int i = get_global_id(0);
    State s;

    load_state(now, i, &s);
    for (int part = 0; part < PARTS; part++)
        s.size[part] *= bounds[1];
    variables[i] = cell_of(s.value);
    errors[i] = cell_of(s.size);
}
