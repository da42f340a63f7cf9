/* Inverse of an n x n matrix by Gauss-Jordan: n exchanges of a column with an unknown, each a
 * launch, between two matrices that take turns. Needs no pivoting.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first launch reads `a`, which nothing writes, so a pass can be repeated; the last one writes
 * `x`.
 */
#include <math.h>
#include <stdlib.h>

#include "program/common.h"
#include "program/program.h"

enum { COLUMNS = 128, ROWS = 16 };
enum { A, SCRATCH, X };
enum { WHOLE = 512, SAMPLES = 16 }; /* all rows of the residual up to that n; rows, else */

/* Standard deviation of the elements of E, in A = I + E. */
static double spread(size_t n)
{
    return 0.25 / sqrt((double)n);
}

/* A random matrix E has the norm 2 spread sqrt(n), 1/2: no leading block of I + E, nor what is left
 * of A when the block is eliminated, has an inverse with a norm much above 2, so that no pivot is
 * much below 1/2. */
static void add_matrix(pm_workload *workload, size_t n, uint64_t seed)
{
    const float most = (float)(sqrt(3.0) * spread(n));

    pm_random_float_buffer(workload, "a", n * n, -most, most, seed, PM_BUFFER_IN);
    if (workload->error.status)
        return;
    for (size_t i = 0; i < n; i++)
        ((float *)workload->buffers[A].initial)[i * (n + 1)] += 1.0f;
}

/* Row i of A X; should be that of the identity.
 *
 * Tolerance, with u = 2^-24 and s = spread: each of the n exchanges rounds each element by about u
 * of its size, up to 2 on the diagonal and 2 s beside it. What follows, and A, multiply these
 * errors from both sides by matrices that are like A: of a norm up to 2, 1 on the diagonal and s
 * beside it. If they are independent (as Higham & Mary 2019, "A new approach to probabilistic
 * rounding error analysis", have them), those of all exchanges add up on the diagonal to a standard
 * deviation of about 2 u sqrt(n); beside it, where each is of the size s or multiplied by one of
 * that size, of about 10 u s sqrt(n) = 2.5 u. Allowed are 16 u sqrt(n) and 16 u; no more than an
 * eighth of either was seen, for n up to 4096. An exchange that is left out changes elements by
 * about s^2: 256 u for that n. */
static pm_status check_row(const float *a, const float *x, size_t n, size_t i, double *sum,
                           pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t j = 0; j < n; j++)
        sum[j] = 0;
    for (size_t k = 0; k < n; k++) {
        const double factor = (double)a[i * n + k];
        const float *row = x + k * n;

        for (size_t j = 0; j < n; j++)
            sum[j] += factor * (double)row[j];
    }
    for (size_t j = 0; j < n && !status; j++) {
        const pm_tolerance allowed = {.absolute = 16 * 0x1p-24 * (i == j ? sqrt((double)n) : 1)};

        status = pm_check_float("a x", i * n + j, sum[j], i == j, allowed, err);
    }
    return status;
}

/* All of X goes into each row of A X. */
static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const size_t n = pm_size_value(workload->size), rows = n <= WHOLE ? n : SAMPLES;
    double *sum = malloc(n * sizeof *sum);
    pm_status status;

    if (!sum)
        return pm_fail(err, PM_FAILED, "no memory for the reference: %zu bytes; close programs",
                       n * sizeof *sum);
    status = pm_check_floats_written("x", outputs[X], n * n, err);
    for (size_t i = 0; i < rows && !status; i++)
        status = check_row(workload->buffers[A].initial, outputs[X], n,
                           pm_sample_position(i, rows, n), sum, err);
    free(sum);
    return status;
}

static void add_exchange(pm_workload *workload, size_t n, size_t k)
{
    const bool to_x = (n - 1 - k) % 2 == 0;
    const size_t columns = (n + COLUMNS - 1) / COLUMNS * COLUMNS, strips = (n + ROWS - 1) / ROWS;

    pm_workload_launch(workload, "inverse", 2, (size_t[]){columns, strips}, (size_t[]){COLUMNS, 1});
    PM_ARGS(workload,
            PM_BUFFER(k == 0 ? A
                      : to_x ? SCRATCH
                             : X),
            PM_BUFFER(to_x ? X : SCRATCH), PM_INT(n), PM_INT(k));
}

static void build(pm_workload *workload, uint64_t seed)
{
    const size_t n = pm_size_value(workload->size);

    pm_workload_options(workload, "-cl-std=CL1.2 -DCOLUMNS=%d -DROWS=%d", COLUMNS, ROWS);
    add_matrix(workload, n, seed);
    pm_workload_buffer(workload, "scratch", n * n * sizeof(float), NULL, PM_BUFFER_IN);
    pm_poisoned_buffer(workload, "x", n * n * sizeof(float));
    for (size_t k = 0; k < n; k++)
        add_exchange(workload, n, k);
    workload->check = check;
    workload->work = 2.0 * (double)n * (double)n * (double)n;
}

const pm_program pm_program_inverse = {
    .info = {.name = "inverse",
             .title = "inverse of a matrix by Gauss-Jordan",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             .sizes = PM_NAMES("256", "500", "512", "1024", "2048", "4096")},
    .build = build,
};
