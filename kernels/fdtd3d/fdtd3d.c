/* fdtd3d: explicit 3-D diffusion by finite differences, eighth order in space. It is a star stencil
 * of radius 4, with several time steps that alternate between two volumes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layout: each row has PAD zeros on its left, which are also the right halo of the row before.
 * RADIUS rows of zeros are before and after each plane, and RADIUS planes of zeros before and after
 * all planes. Rows therefore start at multiples of 128 bytes. The first step reads `in`, which no
 * kernel writes, so a pass can be repeated.
 */
#include "program/common.h"
#include "program/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    RADIUS = 4,
    PAD = 32, /* floats */
    STEPS = 4,
    GX = 32,
    GY = 8,
    HALO = RADIUS * STEPS, /* points on each side that a point depends on after all steps */
    BOX = 8,               /* edge of a sampled box; divides the edges of every size */
    BOXES = 64,
    WHOLE = 1 << 21 /* points: the check compares volumes up to this size completely */
};

enum { IN, SCRATCH, OUT }; /* indices of the buffers */

/* Weights 1 + 3 ALPHA c0, ALPHA c1, ... with the eighth-order coefficients c of a second derivative
 * (Fornberg, "Generation of finite difference formulas on arbitrarily spaced grids", Math. Comp.
 * 51, 1988). */
#define ALPHA 0.1
static const float weights[RADIUS + 1] = {(float)(1.0 - 3.0 * ALPHA * 205.0 / 72.0),
                                          (float)(ALPHA * 8.0 / 5.0), (float)(-ALPHA / 5.0),
                                          (float)(ALPHA * 8.0 / 315.0), (float)(-ALPHA / 560.0)};

typedef struct {
    size_t n[3];                  /* number of points along x, y, z */
    size_t stride, plane, origin; /* floats of a row, of a plane, and before the first point */
    size_t count;                 /* total number of floats */
} volume;

static volume volume_of(const pm_workload *workload)
{
    volume v = {0};

    pm_size_parse(workload->size, v.n, 3);
    v.stride = PAD + v.n[0];
    v.plane = v.stride * (v.n[1] + 2 * RADIUS);
    v.origin = RADIUS * v.plane + RADIUS * v.stride + PAD;
    v.count = v.plane * (v.n[2] + 2 * RADIUS);
    return v;
}

/* ---- reference: one box at a time, in double ------------------------------------------------ */

/* A box of the volume with HALO points around it on each side. */
typedef struct {
    long long first[3]; /* first point of the halo, which may be outside of the volume */
    size_t edge[3];     /* points along each axis, including both halos */
    double *from, *to;  /* edge[0] * edge[1] * edge[2] values each, x fastest */
} box;

static size_t box_index(const box *b, size_t x, size_t y, size_t z)
{
    return (z * b->edge[1] + y) * b->edge[0] + x;
}

/* Returns whether point i of the box along an axis is in the volume. */
static bool inside(const volume *v, const box *b, int axis, size_t i)
{
    long long at = b->first[axis] + (long long)i;
    return at >= 0 && at < (long long)v->n[axis];
}

static size_t volume_index(const volume *v, const box *b, size_t x, size_t y, size_t z)
{
    return v->origin + (size_t)(b->first[2] + (long long)z) * v->plane +
           (size_t)(b->first[1] + (long long)y) * v->stride + (size_t)(b->first[0] + (long long)x);
}

static void box_load(const volume *v, box *b, const float *in)
{
    memset(b->from, 0, b->edge[0] * b->edge[1] * b->edge[2] * sizeof *b->from);
    memset(b->to, 0, b->edge[0] * b->edge[1] * b->edge[2] * sizeof *b->to);
    for (size_t z = 0; z < b->edge[2]; z++)
        for (size_t y = 0; y < b->edge[1]; y++)
            for (size_t x = 0; x < b->edge[0]; x++)
                if (inside(v, b, 0, x) && inside(v, b, 1, y) && inside(v, b, 2, z))
                    b->from[box_index(b, x, y, z)] = (double)in[volume_index(v, b, x, y, z)];
}

/* Computes one step for the points that are at least `margin` from the box's faces. Points outside
 * of the volume stay 0. */
static void box_step(const volume *v, box *b, size_t margin)
{
    size_t row = b->edge[0], plane = b->edge[0] * b->edge[1];

    for (size_t z = margin; z < b->edge[2] - margin; z++)
        for (size_t y = margin; y < b->edge[1] - margin; y++)
            for (size_t x = margin; x < b->edge[0] - margin; x++) {
                const double *u = &b->from[box_index(b, x, y, z)];
                double value = (double)weights[0] * u[0];

                if (!inside(v, b, 0, x) || !inside(v, b, 1, y) || !inside(v, b, 2, z))
                    continue;
                for (size_t r = 1; r <= RADIUS; r++)
                    value += (double)weights[r] * (*(u - r) + u[r] + *(u - r * row) + u[r * row] +
                                                   *(u - r * plane) + u[r * plane]);
                b->to[box_index(b, x, y, z)] = value;
            }
    double *swap = b->from;
    b->from = b->to;
    b->to = swap;
}

/* Tolerance. |u| <= 1 at the start, and it grows at most by the factor sum = sum of |weights| in a
 * step. Within a step no term is rounded more than 10 times: 5 sums of neighbours, the product, and
 * 4 sums over the radius. Each rounding is at most 2^-24 of sum times |u|. The error of the step
 * before is multiplied by sum. The total is STEPS * 10 * 2^-24 * sum^STEPS. */
static pm_tolerance tolerance(void)
{
    double sum = fabs((double)weights[0]);

    for (int r = 1; r <= RADIUS; r++)
        sum += 6.0 * fabs((double)weights[r]);
    return (pm_tolerance){.absolute = STEPS * 10 * 0x1p-24 * pow(sum, STEPS)};
}

static pm_status box_compare(const volume *v, const box *b, const float *got, pm_error *err)
{
    const pm_tolerance allowed = tolerance();
    pm_status status = PM_OK;

    for (size_t z = HALO; z < b->edge[2] - HALO; z++)
        for (size_t y = HALO; y < b->edge[1] - HALO; y++)
            for (size_t x = HALO; x < b->edge[0] - HALO && !status; x++) {
                size_t at = volume_index(v, b, x, y, z);
                status = pm_check_float("out", at, (double)got[at], b->from[box_index(b, x, y, z)],
                                        allowed, err);
            }
    return status;
}

/* Compares a box of `size` points, which starts at `first`. */
static pm_status check_box(const volume *v, const size_t first[3], const size_t size[3],
                           const float *in, const float *got, pm_error *err)
{
    box b = {0};
    size_t count = 1;
    pm_status status;

    for (int axis = 0; axis < 3; axis++) {
        b.first[axis] = (long long)first[axis] - HALO;
        b.edge[axis] = size[axis] + 2 * HALO;
        count *= b.edge[axis];
    }
    double *memory = malloc(2 * count * sizeof *memory);
    if (!memory)
        return pm_fail(err, PM_FAILED, "no memory for the reference: %zu bytes; close programs",
                       2 * count * sizeof *memory);
    b.from = memory;
    b.to = memory + count;
    box_load(v, &b, in);
    for (size_t step = 1; step <= STEPS; step++)
        box_step(v, &b, step * RADIUS);
    status = box_compare(v, &b, got, err);
    free(memory);
    return status;
}

/* ---- check and workload --------------------------------------------------------------------- */

static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const volume v = volume_of(workload);
    const float *in = workload->buffers[IN].initial, *got = outputs[OUT];
    const size_t edge[3] = {BOX, BOX, BOX};
    size_t nx = v.n[0] / BOX, ny = v.n[1] / BOX, boxes = nx * ny * (v.n[2] / BOX);
    pm_status status = pm_check_floats_written("out", got, v.count, err);

    if (!status && v.n[0] * v.n[1] * v.n[2] <= WHOLE)
        return check_box(&v, (const size_t[3]){0}, v.n, in, got, err);
    for (size_t i = 0; i < BOXES && !status; i++) {
        size_t at = pm_sample_position(i, BOXES, boxes);
        const size_t first[3] = {BOX * (at % nx), BOX * (at / nx % ny), BOX * (at / (nx * ny))};

        status = check_box(&v, first, edge, in, got, err);
    }
    return status;
}

/* Sets all values to zero except at the volume's points. */
static void clear_halo(const volume *v, float *values)
{
    size_t rows = v->n[1] + 2 * RADIUS;

    for (size_t row = 0; row < v->count / v->stride; row++) {
        size_t y = row % rows, z = row / rows;
        bool halo = y < RADIUS || y >= v->n[1] + RADIUS || z < RADIUS || z >= v->n[2] + RADIUS;

        memset(values + row * v->stride, 0, (halo ? v->stride : PAD) * sizeof *values);
    }
}

/* Adds a buffer for a volume. If it is an output, it is poisoned except for the halo, which the
 * steps read and never write. */
static void add_volume(pm_workload *workload, const volume *v, const char *name, unsigned flags,
                       uint64_t seed)
{
    float *initial = pm_workload_contents(workload, v->count * sizeof *initial);

    if (!initial)
        return;
    if (flags & PM_BUFFER_OUTPUT)
        memset(initial, 0xff, v->count * sizeof *initial);
    else
        pm_random_floats(initial, v->count, -1.0f, 1.0f, seed, name);
    clear_halo(v, initial);
    pm_workload_buffer(workload, name, v->count * sizeof *initial, initial, flags);
}

static void add_step(pm_workload *workload, const volume *v, size_t from, size_t to)
{
    pm_workload_launch(workload, "fdtd3d", 2, v->n, (size_t[]){GX, GY});
    PM_ARGS(workload, PM_BUFFER(from), PM_BUFFER(to), PM_INT(v->origin), PM_INT(v->stride),
            PM_INT(v->plane), PM_INT(v->n[2]));
    for (int r = 0; r <= RADIUS; r++)
        PM_ARGS(workload, PM_FLOAT(weights[r]));
}

static void build(pm_workload *workload, uint64_t seed)
{
    const volume v = volume_of(workload);

    pm_workload_options(workload, "-cl-std=CL1.2 -DGX=%d -DGY=%d", GX, GY);
    add_volume(workload, &v, "in", PM_BUFFER_IN, seed);
    pm_workload_buffer(workload, "scratch", v.count * sizeof(float), NULL, PM_BUFFER_IN);
    add_volume(workload, &v, "out", PM_BUFFER_OUTPUT, seed);
    for (int step = 0; step < STEPS; step++)
        add_step(workload, &v, step == 0 ? IN : step % 2 ? SCRATCH : OUT, step % 2 ? OUT : SCRATCH);
    workload->check = check;
    workload->work = (double)STEPS * (double)v.n[0] * (double)v.n[1] * (double)v.n[2];
}

const pm_program pm_program_fdtd3d = {
    .info = {.name = "fdtd3d",
             .title = "3-D finite differences, radius 4",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             .sizes = PM_NAMES("192x192x32", "256x256x48", "320x320x80", "384x384x144",
                               "448x448x224", "512x512x320")},
    .build = build,
};
