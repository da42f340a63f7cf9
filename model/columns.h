/* Types and functions that problem.c and columns.c share while they build a regression problem (a
 * matrix of counters and a vector of kernel times) from datasets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_COLUMNS_H
#define PM_MODEL_COLUMNS_H

#include "machine/counters/counters.h"
#include "model/problem.h"
#include "model/samples/classes.h"

typedef struct {
    const pm_dataset *target, *source;
    /* dataset whose counters are used: `source` if there is one, else `target` */
    const pm_dataset *counted;
    const pm_session *session;
    const pm_model_options *options;
    bool extra; /* true: include the rows of `source` for which `target` has no time */
    pm_problem *problem;
    pm_counter_table *table;
    /* classes of programs (groups of similar programs); loaded only if whole classes are left out
     * in turn */
    pm_classes classes;
    pm_memory memory;
    /* from[row]: row of a dataset that provides the counters of row number `row` of the regression
     * problem */
    const pm_sample **from;
    /* number of rows of the dataset `target` that are left out because the dataset `source` has no
     * row of the same kernel, program, variant and size */
    size_t unmatched;
    /* text for a notice: the counters that were left out and that no option named, each with the
     * reason */
    char aside[600];
} pm_problem_builder;

/* Returns the number of counters that may become variables of the regression: all counters of the
 * dataset, plus work_items and work_group. Counters that are standard errors are included in the
 * number but never chosen. */
size_t pm_candidate_count(const pm_problem_builder *b);

/* Chooses the counters that become variables of the regression. Fills x, names, known_x and
 * known_names of b->problem from the rows b->from of datasets. The arrays must have space for all
 * counters that may be chosen (pm_candidate_count). Raises an error (pm_leave) if a counter that
 * the user named is unusable, or if too few or too many counters remain. */
void pm_choose_columns(pm_problem_builder *b);

#endif
