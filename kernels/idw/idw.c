/* idw: inverse distance weighting interpolation, the naive version of Mei and Tian (2016, "Impact
 * of data layouts on the efficiency of GPU-accelerated IDW interpolation"). There are as many query
 * points as data points, and each query point uses all data points.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The power of the distance is 2, so the squared distance is used and no power function is called.
 * Mei 2014 ("Evaluating the power of GPU acceleration for IDW interpolation algorithm") has powers
 * 2 and 3.
 */
#include "program/common.h"
#include "program/program.h"

#include <math.h>

enum {
    GROUP = 128,
    SAME = 509 /* one of SAME query points is at a data point */
};
enum { DATA, QUERIES };

typedef struct {
    float x, y, z;
} point;

/* A sum as the kernel computes it, term by term, with a bound of its error. u is 2^-24. Adding a
 * term rounds by at most u times the new sum, and by at most the term, because the old sum is a
 * float too.
 *
 * If a term is much larger than its rounding, the errors have random signs. They stay below 8 times
 * the root of the sum of their squares (Hoeffding, except with probability 3e-14). Other errors may
 * all have the same sign, for example if terms are lost in a sum with one huge weight. These errors
 * are added up. */
typedef struct {
    double value;
    double size;    /* sum of the magnitudes of all terms */
    double squares; /* sum of squares of the roundings with random signs */
    double one_way; /* sum of the other roundings */
} rounded_sum;

static const double u = 0x1p-24;

static void add(rounded_sum *sum, double term)
{
    sum->value += term;
    sum->size += fabs(term);
    double rounding = u * fabs(sum->value);
    if (fabs(term) < 4 * rounding)
        sum->one_way += fmin(rounding, fabs(term));
    else
        sum->squares += rounding * rounding;
}

/* Returns the error bound of a sum. A term itself has at most 11 roundings: differences 2, squares
 * and their sum 3, the quotient's 2.5 units in the last place 5, the product 1. */
static double error_of(const rounded_sum *sum)
{
    return 11 * u * sum->size + sum->one_way + 8 * sqrt(sum->squares);
}

/* Returns the expected result of a query. *tolerance gets its error bound, which is 0 at a data
 * point. */
static double reference(const point *data, size_t n, const point *query, pm_tolerance *tolerance)
{
    rounded_sum sum = {0}, weights = {0};

    for (size_t j = 0; j < n; j++) {
        double dx = (double)query->x - (double)data[j].x;
        double dy = (double)query->y - (double)data[j].y;
        double d2 = dx * dx + dy * dy;

        if (d2 == 0) {
            *tolerance = (pm_tolerance){0};
            return (double)data[j].z;
        }
        add(&sum, (double)data[j].z / d2);
        add(&weights, 1 / d2);
    }
    *tolerance = (pm_tolerance){.relative = 5 * u + error_of(&weights) / weights.value,
                                .absolute = error_of(&sum) / weights.value};
    return sum.value / weights.value;
}

/* Compares every query for n <= 8192, else a sample with the same cost. Queries at a data point are
 * all compared, because there the result must be exact. */
static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const size_t n = pm_size_value(workload->size), samples = (size_t)8192 * 8192 / n;
    const point *data = workload->buffers[DATA].initial;
    const point *queries = workload->buffers[QUERIES].initial, *got = outputs[QUERIES];
    pm_status status = pm_check_floats_written("queries", outputs[QUERIES], 3 * n, err);

    for (size_t i = 0; i < n && !status; i++) {
        if (got[i].x != queries[i].x || got[i].y != queries[i].y)
            return pm_fail(err, PM_FAILED, "queries[%zu] is at (%.9g, %.9g), was at (%.9g, %.9g)",
                           i, (double)got[i].x, (double)got[i].y, (double)queries[i].x,
                           (double)queries[i].y);
        if (i % SAME == 0)
            status = pm_check_float("queries.z", i, (double)got[i].z, (double)data[n - 1 - i].z,
                                    (pm_tolerance){0}, err);
    }
    for (size_t i = 0; i < samples && i < n && !status; i++) {
        size_t at = pm_sample_position(i, samples, n);
        pm_tolerance tolerance;
        double want = reference(data, n, &queries[at], &tolerance);

        status = pm_check_float("queries.z", at, (double)got[at].z, want, tolerance, err);
    }
    return status;
}

/* Adds the buffers. Data points are random in the unit square, with values from -1 to 1. Query
 * points are random too, and some of them are at data points. The results start as NaN. */
static void add_buffers(pm_workload *workload, size_t n, uint64_t seed)
{
    point *queries = pm_workload_contents(workload, n * sizeof *queries);

    pm_random_float_buffer(workload, "data", 3 * n, 0.0f, 1.0f, seed, PM_BUFFER_IN);
    if (workload->error.status)
        return;
    point *data = workload->buffers[DATA].initial;
    pm_random_floats(&queries->x, 3 * n, 0.0f, 1.0f, seed, "queries");
    for (size_t i = 0; i < n; i++) {
        data[i].z = 2.0f * data[i].z - 1.0f;
        queries[i].z = NAN;
    }
    for (size_t i = 0; i < n; i += SAME) {
        queries[i].x = data[n - 1 - i].x;
        queries[i].y = data[n - 1 - i].y;
    }
    pm_workload_buffer(workload, "queries", n * sizeof *queries, queries, PM_BUFFER_OUTPUT);
}

static void build(pm_workload *workload, uint64_t seed)
{
    size_t n = pm_size_value(workload->size);

    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP=%d", GROUP);
    add_buffers(workload, n, seed);
    pm_workload_launch(workload, "idw", 1, (size_t[]){(n + GROUP - 1) / GROUP * GROUP},
                       (size_t[]){GROUP});
    PM_ARGS(workload, PM_BUFFER(DATA), PM_BUFFER(QUERIES), PM_INT(n), PM_INT(n));
    workload->check = check;
    workload->work = (double)n * (double)n;
}

const pm_program pm_program_idw = {
    .info = {.name = "idw",
             .title = "inverse distance weighting interpolation",
             .layouts = true,
             .base = "aos",
             .variants = PM_NAMES("aos", "aos-align", "soa", "asta:32"),
             .sizes = PM_NAMES("4096", "10240", "20480", "51200", "102400")},
    .build = build,
};
