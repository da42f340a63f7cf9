/* What problem.c and columns.c share while a regression problem is made.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_COLUMNS_H
#define PM_MODEL_COLUMNS_H

#include "counters/counters.h"
#include "model/problem.h"
#include "samples/classes.h"

typedef struct {
    const pm_dataset *target, *source;
    const pm_dataset *counted; /* the one whose counters are used */
    const pm_session *session;
    const pm_model_options *options;
    bool extra; /* also the rows of the source that the target has no time for */
    pm_problem *problem;
    pm_counter_table *table;
    pm_classes classes; /* where they are left out */
    pm_memory memory;
    const pm_sample **from; /* per row: the sample whose counters are used */
    size_t unmatched;       /* samples that the source lacks */
    char aside[600];        /* the columns that nobody named and that are left out, and why */
} pm_problem_builder;

/* How many columns there can be at most: the counters, and two that are known of a launch. Of the
 * dataset's columns, standard errors are no candidates, but have their places. */
size_t pm_candidate_count(const pm_problem_builder *b);

/* Fills x, names, known_x and known_names, which have room for all candidates, from the rows of
 * b->from. What is wrong ends the attempt. */
void pm_choose_columns(pm_problem_builder *b);

#endif
