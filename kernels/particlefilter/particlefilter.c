/* particlefilter: one frame of a particle filter that follows an object in a video, after the
 * program of the Rodinia suite (Goodrum, Trotter, Aksel, Acton, Skadron, "Parallelization of
 * particle filter algorithms", ISCA Workshops 2010).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cdf is summed by work-groups, and one work-item sums only the groups' sums. One work-item for
 * all particles would take most of a pass.
 *
 * The check does not depend on decisions that rounding affects. Positions are multiples of 2^-12
 * below 2^12, where float is exact, so every device reads the same pixels. Their sum is an integer
 * below 2^24 and is exact too. A resampled particle must be the one that the device's own cdf and u
 * select. Both are compared with the reference before.
 */
#include "program/common.h"
#include "program/program.h"

#include <math.h>
#include <stdlib.h>

enum {
    GROUP = 256,
    GROUP_LEVELS = 8, /* 2^GROUP_LEVELS = GROUP */
    WIDTH = 512,
    HEIGHT = 512,
    RADIUS = 5,        /* radius of the disk of pixels that particles read */
    OBJECT_RADIUS = 8, /* radius of the visible object */
    OBJECT_X = 256,    /* position of the object in the previous frame */
    OBJECT_Y = 256,
    BACKGROUND = 100,
    FOREGROUND = 228,
    VARIANCE = 2500
};
enum { PARTICLES, FRAME, DISK, PARTIAL_SUMS }; /* indices of the buffers */

/* Layout with clusters of fields that are used together. */
static const pm_named_layout layouts[] = {
    {"2-2-1-1-1-1-1-align", "cluster-align:x+y/xj+yj/weight/likelihood/cdf/u/seed"}, {NULL, NULL}};

/* Same layout as the struct in the kernels. */
typedef struct {
    float x, y;
    float xj, yj;
    float weight, likelihood, cdf, u;
    uint32_t seed;
} particle;

/* ---- inputs --------------------------------------------------------------------------------- */

/* Adds the frame: a grey background with noise, and a bright disk at the position to which the
 * motion takes the object. */
static void add_frame(pm_workload *workload, uint64_t seed)
{
    const size_t count = (size_t)WIDTH * HEIGHT;
    unsigned char *frame = pm_workload_contents(workload, count);

    if (frame)
        pm_random_bytes(frame, count, seed, "frame");
    for (size_t i = 0; frame && i < count; i++) {
        int dx = (int)(i % WIDTH) - (OBJECT_X + 1), dy = (int)(i / WIDTH) - (OBJECT_Y - 2);
        bool object = dx * dx + dy * dy <= OBJECT_RADIUS * OBJECT_RADIUS;

        frame[i] = (unsigned char)((object ? FOREGROUND : BACKGROUND) - 16 + frame[i] % 32);
    }
    pm_workload_buffer(workload, "frame", count, frame, PM_BUFFER_IN);
}

/* Lists the pairs dx, dy of the pixels nearer than RADIUS, and returns their number. offsets NULL:
 * only returns the number. */
static size_t disk_points(int32_t *offsets)
{
    size_t points = 0;

    for (int dy = -RADIUS; dy <= RADIUS; dy++)
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            if (dx * dx + dy * dy < RADIUS * RADIUS) {
                if (offsets) {
                    offsets[2 * points] = dx;
                    offsets[2 * points + 1] = dy;
                }
                points++;
            }
    return points;
}

static void add_disk(pm_workload *workload)
{
    const size_t bytes = 2 * disk_points(NULL) * sizeof(int32_t);
    int32_t *offsets = pm_workload_contents(workload, bytes);

    if (offsets)
        disk_points(offsets);
    pm_workload_buffer(workload, "disk", bytes, offsets, PM_BUFFER_IN);
}

/* Adds the particles as the frame before left them: about 6 pixels around the object, on a grid of
 * 2^-12, with different weights. Fields that kernels write before they read them are NaN. */
static void add_particles(pm_workload *workload, size_t count, uint64_t seed)
{
    particle *particles = pm_workload_contents(workload, count * sizeof *particles);
    float *uniform = pm_buffer_alloc(workload, 9 * count * sizeof *uniform);

    if (particles && uniform) {
        pm_random_floats(uniform, 9 * count, -10.0f, 10.0f, seed, "particles");
        pm_random_bytes((unsigned char *)particles, count * sizeof *particles, seed, "seeds");
        for (size_t i = 0; i < count; i++) {
            const float *x = uniform + 4 * i, *y = x + 4 * count;
            particle *p = &particles[i];

            p->x = p->y = p->likelihood = p->cdf = p->u = NAN;
            p->xj = OBJECT_X + rintf(0x1p12f * (x[0] + x[1] + x[2] + x[3]) / 2) * 0x1p-12f;
            p->yj = OBJECT_Y + rintf(0x1p12f * (y[0] + y[1] + y[2] + y[3]) / 2) * 0x1p-12f;
            p->weight = (1.0f + 0.05f * uniform[8 * count + i]) / (float)count;
        }
    }
    free(uniform);
    pm_workload_buffer(workload, "particles", count * sizeof *particles, particles,
                       PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
}

/* ---- reference ------------------------------------------------------------------------------ */

static int32_t draw(uint32_t *seed)
{
    *seed = UINT32_C(1103515245) * *seed + UINT32_C(12345);
    return (int32_t)(*seed >> 16 & 0xfff);
}

static double draw_normal(uint32_t *seed)
{
    int32_t sum = 0;

    for (int i = 0; i < 12; i++)
        sum += draw(seed);
    return (sum - 12 * 2048) / 4096.0;
}

/* Applies the motion, which is exact. */
static particle moved(const particle *before)
{
    particle p = *before;

    p.x = (float)((double)before->xj + 1 + 5 * draw_normal(&p.seed));
    p.y = (float)((double)before->yj - 2 + 2 * draw_normal(&p.seed));
    return p;
}

static double likelihood(const pm_workload *workload, const particle *p)
{
    const unsigned char *frame = workload->buffers[FRAME].initial;
    const int32_t *disk = workload->buffers[DISK].initial;
    const size_t points = disk_points(NULL);
    int column = (int)floor((double)p->x + 0.5), row = (int)floor((double)p->y + 0.5);
    double sum = 0;

    for (size_t k = 0; k < points; k++) {
        int at = (row + disk[2 * k + 1]) * WIDTH + column + disk[2 * k];
        int pixel = frame[at >= 0 && at < WIDTH * HEIGHT ? at : 0];

        sum += (pixel - BACKGROUND) * (pixel - BACKGROUND) -
               (pixel - FOREGROUND) * (pixel - FOREGROUND);
    }
    return sum / (2.0 * VARIANCE * (double)points);
}

typedef struct {
    double likelihood, weight; /* not normalized */
} weighed;

/* Error bounds. Unit roundoff is u = 2^-24. A division costs 5 u and exp 6 u (OpenCL C, "Relative
 * error as ULPs"). So the likelihood L has the error 5 u, and a weight (5 |L| + 7) u. All weights
 * are positive, so a sum has the same relative error plus u for each addition that a term goes
 * through. These are GROUP_LEVELS additions in a group, and then one per group. */
typedef struct {
    double likelihood, weight, cdf, u; /* relative */
} bounds;

static bounds bounds_of(double largest_likelihood, size_t groups)
{
    const double unit = 0x1p-24;
    double weight = 5 * largest_likelihood + 7;
    double sum = weight + GROUP_LEVELS + (double)groups;
    double normalised = weight + sum + 5;

    return (bounds){.likelihood = 5 * unit,
                    .weight = normalised * unit,
                    /* bound of the error of both terms and of their sum */
                    .cdf = (fmax(normalised + GROUP_LEVELS, 2 * sum + 5) + 1) * unit,
                    .u = 6 * unit};
}

/* ---- check ---------------------------------------------------------------------------------- */

static pm_status check_number(const char *name, size_t i, float got, double want, double relative,
                              pm_error *err)
{
    return pm_check_float(name, i, (double)got, want, (pm_tolerance){.relative = relative}, err);
}

static pm_status check_moved(const particle *got, const particle *want, size_t i, pm_error *err)
{
    if (got->seed != want->seed)
        return pm_fail(err, PM_FAILED, "seed[%zu] is %u, the reference is %u", i, got->seed,
                       want->seed);
    if (check_number("x", i, got->x, (double)want->x, 0, err) ||
        check_number("y", i, got->y, (double)want->y, 0, err))
        return PM_FAILED;
    return PM_OK;
}

/* Checks all fields that do not depend on the rounding of the cdf. first_u: value that the kernel
 * gets. */
static pm_status check_weights(const particle *got, const weighed *want, size_t count,
                               double first_u, pm_error *err)
{
    double largest = 0, total = 0, sum = 0;

    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(want[i].likelihood));
        total += want[i].weight;
    }
    const bounds allowed = bounds_of(largest, count / GROUP);
    for (size_t i = 0; i < count; i++) {
        sum += want[i].weight;
        if (check_number("likelihood", i, got[i].likelihood, want[i].likelihood, allowed.likelihood,
                         err) ||
            check_number("weight", i, got[i].weight, want[i].weight / total, allowed.weight, err) ||
            check_number("cdf", i, got[i].cdf, sum / total, allowed.cdf, err) ||
            check_number("u", i, got[i].u, first_u + (double)i / (double)count, allowed.u, err))
            return PM_FAILED;
    }
    return PM_OK;
}

/* Returns the index of the first of `count` ascending values that is at least u; count - 1 if there
 * is none. */
static size_t first_to_reach(const float *values, size_t count, float u)
{
    size_t low = 0, high = count - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (values[middle] >= u)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Checks the resampled particles. highest: scratch space for count floats. The running maximum
 * never decreases, unlike the rounded cdf. The first value that reaches u is also the first at
 * which the running maximum reaches u. */
static pm_status check_resampled(const particle *got, float *highest, size_t count, pm_error *err)
{
    for (size_t i = 0; i < count; i++)
        highest[i] = i > 0 && highest[i - 1] > got[i].cdf ? highest[i - 1] : got[i].cdf;
    for (size_t i = 0; i < count; i++) {
        const particle *chosen = &got[first_to_reach(highest, count, got[i].u)];

        if (check_number("xj", i, got[i].xj, (double)chosen->x, 0, err) ||
            check_number("yj", i, got[i].yj, (double)chosen->y, 0, err))
            return PM_FAILED;
    }
    return PM_OK;
}

/* The check's context is u of the first particle. */
static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const size_t count = pm_size_value(workload->size);
    const particle *before = workload->buffers[PARTICLES].initial, *got = outputs[PARTICLES];
    const float *first_u = workload->check_context;
    weighed *want = malloc(count * sizeof *want);
    float *highest = malloc(count * sizeof *highest);
    pm_status status = PM_OK;

    if (!want || !highest)
        status = pm_fail(err, PM_FAILED,
                         "no memory for the reference of %zu particles; close programs", count);
    for (size_t i = 0; i < count && !status; i++) {
        particle p = moved(&before[i]);

        status = check_moved(&got[i], &p, i, err);
        want[i].likelihood = likelihood(workload, &p);
        want[i].weight = (double)p.weight * exp(want[i].likelihood);
    }
    if (!status)
        status = check_weights(got, want, count, (double)*first_u, err);
    if (!status)
        status = check_resampled(got, highest, count, err);
    free(highest);
    free(want);
    return status;
}

/* ---- workload ------------------------------------------------------------------------------- */

static void add_launches(pm_workload *workload, size_t count, float first_u)
{
    const size_t groups = count / GROUP;
    const size_t group[] = {GROUP}, all[] = {count}, one[] = {1};

    pm_workload_launch(workload, "likelihood", 1, all, group);
    PM_ARGS(workload, PM_BUFFER(PARTICLES), PM_BUFFER(FRAME), PM_BUFFER(DISK),
            PM_INT(disk_points(NULL)), PM_INT(WIDTH), PM_INT(HEIGHT), PM_BUFFER(PARTIAL_SUMS));

    pm_workload_launch(workload, "sum_weights", 1, one, one);
    PM_ARGS(workload, PM_BUFFER(PARTIAL_SUMS), PM_INT(groups));

    pm_workload_launch(workload, "normalize_weights", 1, all, group);
    PM_ARGS(workload, PM_BUFFER(PARTICLES), PM_BUFFER(PARTIAL_SUMS), PM_INT(groups), PM_INT(count),
            PM_FLOAT(first_u));

    pm_workload_launch(workload, "find_index", 1, all, group);
    PM_ARGS(workload, PM_BUFFER(PARTICLES), PM_INT(count));
}

static void build(pm_workload *workload, uint64_t seed)
{
    const size_t count = pm_size_value(workload->size);
    float *first_u = pm_buffer_alloc(workload, sizeof *first_u);

    if (!first_u)
        return;
    pm_workload_check(workload, check, first_u, free);
    pm_random_floats(first_u, 1, 0.0f, 1.0f / (float)count, seed, "first u");
    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP=%d", GROUP);
    add_particles(workload, count, seed);
    add_frame(workload, seed);
    add_disk(workload);
    pm_workload_buffer(workload, "partial_sums", count / GROUP * sizeof(float), NULL, PM_BUFFER_IN);
    add_launches(workload, count, *first_u);
    /* Work: steps of the search, and pixels. */
    workload->work = (double)count * ((double)count / 2 + (double)disk_points(NULL));
}

const pm_program pm_program_particlefilter = {
    .info = {.name = "particlefilter",
             .title = "a particle filter that follows an object in a video",
             .layouts = true,
             .base = "aos",
             .variants = PM_NAMES("aos", "aos-align", "soa", "asta:32", "2-2-1-1-1-1-1-align"),
             /* Size: number of particles, a power of two so that 1 / number is exact. */
             .sizes = PM_NAMES("1024", "4096", "8192", "16384", "32768", "65536")},
    .build = build,
    .layouts = layouts,
};
