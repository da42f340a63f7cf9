/* Effort: the hours of work that a version of a program takes, from what it rewrites.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *     hours = kernels x kernel_hours + structs x struct_hours + (source + host lines) / lines
 *
 * with the lines an hour that a person writes, where the version is written by hand, or reads,
 * where perfmodel transform wrote it. The 90 % interval is a factor either way. This is a rule of
 * thumb with published rates: nobody has measured what these versions took.
 */
#ifndef PM_COST_EFFORT_H
#define PM_COST_EFFORT_H

#include "perfmodel.h"

/* A rate, for tables and options. */
typedef struct {
    const char *name;   /* as --effort has it */
    const char *what;   /* with its unit */
    const char *source; /* where its value is from; "assumed" */
    double value;       /* if nothing else is said */
    size_t offset;      /* in pm_effort_rates */
} pm_effort_rate;

enum { PM_EFFORT_RATES = 5 };
const pm_effort_rate *pm_effort_rate_at(size_t i);
double *pm_effort_rate_of(pm_effort_rates *rates, const pm_effort_rate *rate);

pm_effort_rates pm_effort_default(void);
/* All 0 where nothing is rewritten. */
pm_interval pm_effort_hours(const pm_rewrite_size *size, const pm_effort_rates *rates);

#endif
