/* inverse: inverse of an n x n matrix by Gauss-Jordan elimination. It makes n exchanges of a column
 * with an unknown, one per launch, alternating between two matrices. It needs no pivoting.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first launch reads `a`, which no launch writes, so a pass can be repeated. The last launch
 * writes `x`.
 */
#include <math.h>
#include <stdlib.h>

#include "program/common.h"
#include "program/program.h"

enum { COLUMNS = 128, ROWS = 16 };
enum { A, SCRATCH, X };
/* WHOLE: up to this n all rows of the residual are checked; SAMPLES: rows for larger n */
enum { WHOLE = 512, SAMPLES = 16 };

/* Returns the standard deviation of the elements of E in A = I + E. */
static double spread(size_t n)
{
    return 0.25 / sqrt((double)n);
}

/* Adds the matrix A = I + E. The norm of the random matrix E is 2 spread sqrt(n) = 1/2. So no
 * leading block of A, and no Schur complement of a block, has an inverse with a norm much above 2.
 * No pivot is then much below 1/2. */
static void add_matrix(pm_workload *workload, size_t n, uint64_t seed)
{
    const float most = (float)(sqrt(3.0) * spread(n));

    pm_random_float_buffer(workload, "a", n * n, -most, most, seed, PM_BUFFER_IN);
    if (workload->error.status)
        return;
    for (size_t i = 0; i < n; i++)
        ((float *)workload->buffers[A].initial)[i * (n + 1)] += 1.0f;
}

/* Compares row i of A X with that of the identity.
 *
 * Tolerance, with u = 2^-24 and s = spread: each of the n exchanges rounds each element by about u
 * of its magnitude, which is up to 2 on the diagonal and 2 s elsewhere. The following exchanges,
 * and A, multiply these errors from both sides by matrices similar to A. Their norm is at most 2,
 * and their elements are 1 on the diagonal and s elsewhere.
 *
 * If the errors are independent (Higham and Mary 2019, "A new approach to probabilistic rounding
 * error analysis"), they add up on the diagonal to a standard deviation of about 2 u sqrt(n).
 * Elsewhere each error has the magnitude s or is multiplied by s, and the standard deviation is
 * about 10 u s sqrt(n) = 2.5 u. The tolerances are 16 u sqrt(n) and 16 u. The largest errors
 * observed, for n up to 4096, are an eighth of that. A missing exchange changes elements by about
 * s^2: 256 u for that n. */
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

/* Each row of A X depends on all of X. */
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
