/* What versions cost and return, and what other GPUs would, as terminal tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_COST_H
#define PM_REPORT_TABLE_COST_H

#include <stdio.h>

#include "perfmodel.h"

/* Numbers that are examples where the user has not given them. */
typedef enum { PM_ASSUMED_RATE, PM_ASSUMED_GPU_HOUR, PM_ASSUMED_RUNS } pm_table_assumption;
enum { PM_ASSUMPTIONS = 3 };
/* As the JSON of advise has it: rate, gpu_hour, runs_per_month. */
const char *pm_table_assumption_name(unsigned which);

/* Another GPU for the same program. */
typedef struct {
    pm_advice *advice;
    double gpu_hour;
    pm_elsewhere elsewhere;
} pm_table_place;

/* The prices, and a row for each version but the base, by its number in pm_table_advice; costs has
 * one for each choice. given: bit i, the number of that pm_table_assumption is the user's. */
void pm_table_cost(FILE *out, const pm_advice *advice, const pm_cost_options *options,
                   unsigned given, const pm_payback *costs);
/* A row for the target and for each other GPU; then what is cheapest after a year, and when the
 * work on the target pays against each of them. */
void pm_table_elsewhere(FILE *out, const pm_advice *advice, const pm_cost_options *options,
                        const pm_table_place *places, size_t count);

#endif
