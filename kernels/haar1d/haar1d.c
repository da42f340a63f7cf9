/* haar1d: full orthonormal Haar wavelet decomposition of a signal of n floats, where n is a power
 * of two. Each launch reduces blocks of 512 values to one approximation per block, and the next
 * launch continues with the approximations. The output is the last approximation, then the details
 * from the coarsest level to the finest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/common.h"
#include "program/program.h"

enum { GROUP = 256, CHUNK = 2 * GROUP };
enum { SIGNAL, OUT, APPROX_1, APPROX_2, SCRATCH };

/* Number of values that the reference transforms at a time, so that they stay in the CPU's cache.
 */
enum { STRETCH = 4096 };

/* Transforms `count` values of a level and compares all details with the output. The level's input
 * has `length` values, and these are its group-th block. Their approximation is stored in
 * values[0]. */
static pm_status check_stretch(double *values, size_t count, size_t length, size_t group,
                               const float *out, pm_tolerance tolerance, pm_error *err)
{
    for (; count > 1; count /= 2, length /= 2) {
        size_t first = length / 2 + group * (count / 2);
        for (size_t k = 0; k < count / 2; k++) {
            double even = values[2 * k], odd = values[2 * k + 1];
            double detail = (even - odd) * sqrt(0.5);
            double got = (double)out[first + k];
            values[k] = (even + odd) * sqrt(0.5);
            /* no function call in the usual case, because there are many values */
            if (!(fabs(got - detail) <= tolerance.absolute))
                return pm_check_float("out", first + k, got, detail, tolerance, err);
        }
    }
    return PM_OK;
}

/* Tolerance. Values are uniform in [-1, 1] and the transform is orthonormal, so coefficients keep
 * the standard deviation 0.58 at every level. Of 2^27 Gaussian coefficients none reaches 6 standard
 * deviations, 3.5.
 *
 * A level rounds the sum and the product, each by at most 2^-24 of the value, and the relative
 * error of its factor is 2^-25.8: at most 2.3 x 2^-24 x 3.5 together. The average of two
 * independent errors times sqrt 2 is as large as each. So over at most 27 levels they add in
 * quadrature, to sqrt(27) x 8 x 2^-24. The tolerance is 4 times that: 1e-5. */
static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const pm_tolerance tolerance = {.absolute = 1e-5};
    const size_t n = pm_size_value(workload->size), stretches = n / STRETCH;
    const float *signal = workload->buffers[SIGNAL].initial, *out = outputs[OUT];
    double values[STRETCH];
    double *top = malloc(stretches * sizeof *top);
    pm_status status = PM_OK;

    if (!top)
        return pm_fail(err, PM_FAILED, "haar1d %s: no memory for the check", workload->size);
    for (size_t s = 0; s < stretches && !status; s++) {
        for (size_t k = 0; k < STRETCH; k++)
            values[k] = (double)signal[s * STRETCH + k];
        status = check_stretch(values, STRETCH, n, s, out, tolerance, err);
        top[s] = values[0];
    }
    if (!status)
        status = check_stretch(top, stretches, stretches, 0, out, tolerance, err);
    if (!status)
        status = pm_check_float("out", 0, (double)out[0], top[0], tolerance, err);
    free(top);
    return status;
}

static void add_launches(pm_workload *workload, size_t n, bool scratch)
{
    size_t in = SIGNAL, approx = APPROX_1;

    for (size_t length = n; length > 1;) {
        size_t chunk = length < CHUNK ? length : CHUNK;
        size_t left = length / chunk;
        if (left == 1)
            approx = OUT; /* the last approximation is out[0] */
        pm_workload_launch(workload, "haar1d", 1, (size_t[]){length / 2}, (size_t[]){chunk / 2});
        PM_ARGS(workload, PM_BUFFER(in), PM_BUFFER(OUT), PM_BUFFER(approx), PM_INT(length));
        if (scratch)
            pm_workload_arg_buffer(workload, SCRATCH);
        in = approx;
        approx = approx == APPROX_1 ? APPROX_2 : APPROX_1;
        length = left;
    }
}

static void build(pm_workload *workload, uint64_t seed)
{
    const bool scratch = strcmp(workload->variant, "nolocal") == 0;
    const size_t n = pm_size_value(workload->size);

    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP=%d", GROUP);
    pm_random_float_buffer(workload, "signal", n, -1.0f, 1.0f, seed, PM_BUFFER_IN);
    pm_poisoned_buffer(workload, "out", n * sizeof(float));
    pm_workload_buffer(workload, "approx_1", n / CHUNK * sizeof(float), NULL, PM_BUFFER_IN);
    pm_workload_buffer(workload, "approx_2", n / CHUNK * sizeof(float), NULL, PM_BUFFER_IN);
    if (scratch)
        pm_workload_buffer(workload, "scratch", n / 4 * 3 * sizeof(float), NULL, PM_BUFFER_SCRATCH);
    add_launches(workload, n, scratch);
    workload->check = check;
    workload->work = (double)n;
}

const pm_program pm_program_haar1d = {
    .info = {.name = "haar1d",
             .title = "Haar wavelet decomposition of a signal",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             .sizes =
                 PM_NAMES("2097152", "4194304", "8388608", "16777216", "33554432", "134217728")},
    .build = build,
};
