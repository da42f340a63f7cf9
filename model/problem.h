/* A regression problem: a matrix of counters and a vector of kernel times. Its rows are measured
 * kernels of a dataset. If there is a source dataset (the same kernels on another GPU), the
 * counters and a further time come from it. Unusable counters are left out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_PROBLEM_H
#define PM_MODEL_PROBLEM_H

#include "base/memory.h"
#include "machine/profile.h"

typedef struct {
    /* number of rows: first the rows with a measured time, then the rows that are only predicted */
    size_t n;
    size_t n_known; /* number of rows with a measured time, which are rows 0 ... n_known - 1 */
    size_t p;       /* number of counters */
    /* n x p matrix, stored by row: raw counter values. All are known, and no column is constant. */
    double *x;
    double *t; /* t[row]: time on the target GPU in seconds; NaN from row n_known on */
    /* source_t[row]: time on the source GPU in seconds; NULL: that time is no variable of the
     * model */
    double *source_t;
    /* group[row]: group of the row, less than `groups`; rows of a group are left out together */
    size_t *group;
    size_t groups;
    const char **names; /* p names of counters, owned by the datasets or static */
    /* All counters that may be variables of the regression and have known values in all rows. They
     * include counters that x lacks because they are constant or equal to another counter. Counter
     * k has the values known_x[k * n] ... known_x[k * n + n - 1]. */
    size_t known_count;
    double *known_x;
    const char **known_names;
    /* profiles of the target GPU and of the source GPU; `present` is false if there is no
     * profile */
    pm_profile profile, source_profile;
    /* sample[row]: row of the dataset `target` from which row number `row` comes, or row of the
     * dataset `source` if only that dataset has it */
    const pm_sample **sample;
    pm_memory memory; /* owns all arrays and the problem itself */
} pm_problem;

/* Makes a regression problem from the rows of the dataset `target` that have a time. If the dataset
 * `source` is not NULL, each row is paired with the row of `source` for the same kernel, program,
 * variant and size. If `extra` is true, the rows of `source` for which `target` has no time follow.
 * Counters that are unknown in a row, constant counters and copies of another counter are left out.
 * A notice names them, except counters that are 0 or unknown in every row. PM_BAD_INPUT: the user
 * asked by name for a counter that is left out, or too few rows or counters remain; the message
 * names the file and the remedy. Returns NULL on failure. Free the result with pm_problem_free. */
pm_problem *pm_problem_create(const pm_session *session, const pm_dataset *target,
                              const pm_dataset *source, bool extra, const pm_model_options *options,
                              pm_error *err);
void pm_problem_free(pm_problem *problem);

/* Returns the n values of the counter `name`, one for each row. NULL: there is no such counter, or
 * its value is unknown in a row. */
const double *pm_problem_known(const pm_problem *problem, const char *name);

#endif
