/* Results as tables on a terminal; what advice and money are, choices.h has.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_RESULTS_TABLES_H
#define PM_REPORT_RESULTS_TABLES_H

#include <stdio.h>

#include "layout/nakai/nakai.h"
#include "perfmodel.h"

/* A row a program (mean and median error over its samples), then the totals. */
void pm_table_validation(FILE *out, const pm_validation *validation);
/* A row a sample; then, of the user's own programs that have several kernels, a row of all of them
 * together. */
void pm_table_predictions(FILE *out, const char *target, const pm_predictions *predictions);
/* A line that says what they rest on: whose times, and which datasets were named. */
void pm_table_basis(FILE *out, const char *target, const pm_predictions *predictions);
/* Of several targets side by side: of[i] is targets[i]'s. */
void pm_table_predictions_beside(FILE *out, const char *const *targets, pm_predictions *const *of,
                                 size_t count);

/* How much of the space was seen, the versions to run first, and what each parameter does. */
void pm_table_tuning(FILE *out, const pm_tuning *tuning);

/* For each kernel its counters, a row each, and its memory instructions, a row each. */
void pm_table_trace(FILE *out, const pm_trace *trace);

/* A row for each array of a kernel, staged or not, and why not; then the assumptions, a line each.
 * "each" is accesses by an element. */
void pm_table_shared(FILE *out, const pm_transformed *transformed);

/* The steps of method nakai for each struct: instructions with their weights (figure 12 of Nakai
 * and Ohno 2017) and their sum; with AoS the three trees (figures 15 to 17) and the structs (figure
 * 18). */
void pm_table_nakai(FILE *out, const pm_nakai *analysis);
/* Of one struct. */
void pm_table_nakai_struct(FILE *out, const pm_nakai_struct *analysis);

#endif
