/* nbody: one time step of n bodies under their own gravity. Each body interacts with every other
 * body, with softening (Aarseth 1963).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "program/common.h"
#include "program/program.h"

/* Work-group size: 64, so that the smallest size has about one work-group for each multiprocessor.
 */
enum { GROUP = 64 };
enum { POSITION, VELOCITY, NEW_POSITION, NEW_VELOCITY };

static const float softening = 0.01f; /* squared length that is added to each squared distance */
static const float dt = 0.01f;

/* Computes the acceleration of a body in sum[0 ... 2]. sum[3] gets the sum of the magnitudes of all
 * terms, to which the rounding error is proportional. */
static void accelerate(const float *position, size_t n, size_t body, double sum[4])
{
    const float *own = position + 4 * body;

    sum[0] = sum[1] = sum[2] = sum[3] = 0;
    for (size_t k = 0; k < n; k++) {
        const float *other = position + 4 * k;
        double x = (double)other[0] - (double)own[0];
        double y = (double)other[1] - (double)own[1];
        double z = (double)other[2] - (double)own[2];
        double square = x * x + y * y + z * z;
        double softened = square + (double)softening;
        double weight = (double)other[3] / (softened * sqrt(softened));
        sum[0] += weight * x;
        sum[1] += weight * y;
        sum[2] += weight * z;
        sum[3] += weight * sqrt(square);
    }
}

/* Checks one body after the step. The n partial sums are at most S, the sum of the terms'
 * magnitudes. If their roundings are independent, they stay below 8 sqrt(n) 2^-24 S with near
 * certainty (Higham and Mary 2019, "A new approach to probabilistic rounding error analysis"). The
 * error of a term is at most 16 x 2^-24, of which 12 come from the cube of rsqrt with its 2 units
 * in the last place. The step then rounds three times. */
static pm_status check_body(const pm_workload *workload, size_t n, size_t body,
                            const void *const *outputs, pm_error *err)
{
    const float *position = (const float *)workload->buffers[POSITION].initial + 4 * body;
    const float *velocity = (const float *)workload->buffers[VELOCITY].initial + 4 * body;
    const float *new_position = outputs[NEW_POSITION], *new_velocity = outputs[NEW_VELOCITY];
    const double step = (double)dt;
    double a[4];

    accelerate(workload->buffers[POSITION].initial, n, body, a);
    double a_error = (16 + 8 * sqrt((double)n)) * 0x1p-24 * a[3];
    for (size_t i = 0; i < 4; i++) {
        bool mass = i == 3;
        size_t at = 4 * body + i;
        double p = (double)position[i], v = (double)velocity[i];
        double want_v = mass ? 0 : v + step * a[i];
        double want_p = mass ? p : p + step * v + 0.5 * step * step * a[i];
        pm_tolerance v_tolerance = {.absolute = mass ? 0 : step * a_error + 0x1p-22 * fabs(v)};
        pm_tolerance p_tolerance = {
            .absolute = mass ? 0 : 0.5 * step * step * a_error + 0x1p-22 * (fabs(p) + fabs(v))};
        if (pm_check_float("new_velocity", at, (double)new_velocity[at], want_v, v_tolerance,
                           err) ||
            pm_check_float("new_position", at, (double)new_position[at], want_p, p_tolerance, err))
            return PM_FAILED;
    }
    return PM_OK;
}

/* Checks every body for n <= 8192, else a sample with the same cost. */
static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const size_t n = pm_size_value(workload->size);
    const size_t samples = (size_t)8192 * 8192 / n;
    pm_status status = pm_check_floats_written("new_position", outputs[NEW_POSITION], 4 * n, err);

    if (!status)
        status = pm_check_floats_written("new_velocity", outputs[NEW_VELOCITY], 4 * n, err);
    for (size_t i = 0; i < samples && i < n && !status; i++)
        status = check_body(workload, n, pm_sample_position(i, samples, n), outputs, err);
    return status;
}

/* Adds the buffers. Bodies are in the cube [-1, 1]^3 and have a total mass of about 1.
 * Accelerations are then about 1, and a step changes velocities by about their own magnitude. */
static void add_buffers(pm_workload *workload, size_t n, uint64_t seed)
{
    pm_random_float_buffer(workload, "position", 4 * n, -1.0f, 1.0f, seed, PM_BUFFER_IN);
    pm_random_float_buffer(workload, "velocity", 4 * n, -0.01f, 0.01f, seed, PM_BUFFER_IN);
    pm_poisoned_buffer(workload, "new_position", 4 * n * sizeof(float));
    pm_poisoned_buffer(workload, "new_velocity", 4 * n * sizeof(float));
    if (workload->error.status)
        return;
    float *position = workload->buffers[POSITION].initial;
    float *velocity = workload->buffers[VELOCITY].initial;
    for (size_t body = 0; body < n; body++) {
        position[4 * body + 3] = (1.0f + 0.5f * position[4 * body + 3]) / (float)n;
        velocity[4 * body + 3] = 0.0f;
    }
}

static void build(pm_workload *workload, uint64_t seed)
{
    size_t n = pm_size_value(workload->size);

    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP=%d", GROUP);
    add_buffers(workload, n, seed);
    pm_workload_launch(workload, "nbody", 1, (size_t[]){n}, (size_t[]){GROUP});
    PM_ARGS(workload, PM_BUFFER(POSITION), PM_BUFFER(VELOCITY), PM_BUFFER(NEW_POSITION),
            PM_BUFFER(NEW_VELOCITY), PM_INT(n), PM_FLOAT(softening), PM_FLOAT(dt));
    workload->check = check;
    workload->work = (double)n * (double)n;
}

const pm_program pm_program_nbody = {
    .info = {.name = "nbody",
             .title = "one step of an n-body simulation",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             .sizes = PM_NAMES("8192", "16384", "24576", "32768", "65536", "131072")},
    .build = build,
};
