/* Terminal tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_H
#define PM_REPORT_TABLE_H

#include <stdio.h>

#include "perfmodel.h"

/* A row a program (mean and median error over its samples), then the totals. */
void pm_table_validation(FILE *out, const pm_validation *validation);
/* A row a sample. */
void pm_table_predictions(FILE *out, const char *target, const pm_predictions *predictions);

/* For each kernel its counters, a row each, and its memory instructions, a row each. */
void pm_table_trace(FILE *out, const pm_trace *trace);

/* A row for each array of a kernel, staged or not, and why not; then the assumptions, a line each.
 * "each" is accesses by an element. */
void pm_table_shared(FILE *out, const pm_transformed *transformed);

/* A row a version, fastest first, each with its number. */
void pm_table_advice(FILE *out, const pm_advice *advice);

/* 1.234 ms, 56.7 us: four digits. */
const char *pm_time_text(double seconds, char text[32]);
/* 79 %, >99 %, <1 %; - for NaN. */
const char *pm_chance_text(double chance, char text[32]);

#endif
