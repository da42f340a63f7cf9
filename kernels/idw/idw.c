/* Inverse distance weighting interpolation, the naive version of Mei & Tian (2016, "Impact of data
 * layouts on the efficiency of GPU-accelerated IDW interpolation"): as many query points as data
 * points, and all data points weigh in at each query point.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The power of the distance is 2, for which the square of the distance is used as it is and no
 * power function is called (Mei 2014, "Evaluating the power of GPU acceleration for IDW
 * interpolation algorithm", has powers 2 and 3).
 */
#include "kernels/common.h"

#include <math.h>
#include <string.h>

enum {
    GROUP = 128,
    SAME = 509 /* every so many query points, one is at a data point */
};
enum { DATA, QUERIES };

typedef struct {
    float x, y, z;
} point;

static const char *const variants[] = {"aos", NULL};
static const char *const sizes[] = {"4096", "10240", "20480", "51200", "102400", NULL};

/* What the query must be, and how far off it may be: by nothing where there is a data point. With u
 * = 2^-24, a weight is off by at most 10 u (differences 2, squares and their sum 3, the quotient's
 * 2.5 units in the last place 5), and n roundings of partial sums of terms of sizes S together stay
 * below 8 sqrt(n) u S with near certainty (Higham & Mary 2019, "A new approach to probabilistic
 * rounding error analysis"). Both sums and their quotient add up. */
static double reference(const point *data, size_t n, const point *query, pm_tolerance *tolerance)
{
    double sum = 0, weights = 0, size = 0;

    for (size_t j = 0; j < n; j++) {
        double dx = (double)query->x - (double)data[j].x;
        double dy = (double)query->y - (double)data[j].y;
        double d2 = dx * dx + dy * dy;

        if (d2 == 0) {
            *tolerance = (pm_tolerance){0};
            return (double)data[j].z;
        }
        sum += (double)data[j].z / d2;
        size += fabs((double)data[j].z) / d2;
        weights += 1 / d2;
    }
    double error = (12 + 8 * sqrt((double)n)) * 0x1p-24;
    *tolerance =
        (pm_tolerance){.relative = error + 5 * 0x1p-24, .absolute = error * size / weights};
    return sum / weights;
}

/* Every query for n <= 8192, else as many as cost the same; and all that are at a data point, where
 * the first try is right. */
static pm_status check(const pm_workload *workload, void *context, const void *const *outputs,
                       pm_error *err)
{
    const size_t n = pm_size_value(workload->size), samples = (size_t)8192 * 8192 / n;
    const point *data = workload->buffers[DATA].initial;
    const point *queries = workload->buffers[QUERIES].initial, *got = outputs[QUERIES];
    pm_status status = pm_check_floats_written("queries", outputs[QUERIES], 3 * n, err);

    (void)context;
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

/* Data points anywhere in the unit square with values from -1 to 1; query points likewise, and some
 * of them at data points. What is to be computed starts as NaN. */
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

static pm_workload *build(const char *variant, const char *size, uint64_t seed, pm_error *err)
{
    size_t n = pm_size_value(size);
    pm_workload *workload = pm_program_workload("idw", variant, size, err);

    if (!workload)
        return NULL;
    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP=%d", GROUP);
    add_buffers(workload, n, seed);
    pm_workload_launch(workload, "idw", 1, (size_t[]){(n + GROUP - 1) / GROUP * GROUP},
                       (size_t[]){GROUP});
    pm_workload_arg_buffer(workload, DATA);
    pm_workload_arg_buffer(workload, QUERIES);
    pm_workload_arg_int(workload, (int32_t)n);
    pm_workload_arg_int(workload, (int32_t)n);
    pm_workload_check(workload, check, NULL, NULL);
    workload->work = (double)n * (double)n;
    return pm_workload_finish(workload, err);
}

extern const pm_program pm_program_idw;
const pm_program pm_program_idw = {
    .info = {.name = "idw",
             .title = "inverse distance weighting interpolation",
             .variants = variants,
             .sizes = sizes},
    .build = build,
};
