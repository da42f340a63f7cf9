/* A regression problem: the rows and columns that the samples of a target (and a source) leave once
 * unusable counters are put aside.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_PROBLEM_H
#define PM_MODEL_PROBLEM_H

#include "base/memory.h"
#include "gpu/profile.h"

typedef struct {
    size_t n;         /* rows: first those with a measured time, then those only to be predicted */
    size_t n_known;   /* rows with a measured time */
    size_t p;         /* counters */
    double *x;        /* n x p, row by row: raw counter values, all known, no column constant */
    double *t;        /* n seconds on the target; NaN from n_known on */
    double *source_t; /* n seconds on the source; NULL: not a variable */
    size_t *group;    /* n: what is left out together, 0 ... groups - 1 */
    size_t groups;
    const char **names; /* p, owned by the datasets or static */
    /* Every column that was offered and is known in all rows, also those put aside as constant or
     * as a copy: column k of row i is known_x[k * n + i]. */
    size_t known_count;
    double *known_x;
    const char **known_names;
    pm_profile profile, source_profile; /* of the GPUs; present is false where there is none */
    const pm_sample **sample; /* n: the target's row where it is there, else the source's */
    pm_memory memory;         /* that all of it is of */
} pm_problem;

/* The rows of target (each with its row of source, where source is not NULL), and with `extra` also
 * the rows of source that target has no time for. Counters with an unknown cell, constant ones and
 * copies of another are left out, and one notice names them (not those that are 0 or unknown in
 * every row, which is usual); where they were asked for by name, and where too
 * little is left to learn from, PM_BAD_INPUT names the file and the cure. */
pm_problem *pm_problem_create(const pm_session *session, const pm_dataset *target,
                              const pm_dataset *source, bool extra, const pm_model_options *options,
                              pm_error *err);
void pm_problem_free(pm_problem *problem);

/* n values of a known column; NULL if there is none of that name. */
const double *pm_problem_known(const pm_problem *problem, const char *name);

#endif
