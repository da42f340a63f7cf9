/* Estimates the hours that a person needs to write or review a new version of a program, from the
 * numbers of lines, kernels and structs that change.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *     hours = kernels x kernel_hours + structs x struct_hours + (source + host lines) / lines
 *
 * where lines is write_lines, lines per hour that a person writes, if the version is written by
 * hand. It is read_lines, lines per hour that a person reviews, if perfmodel transform wrote it.
 * The 90 % interval is hours / factor ... hours * factor. This is a rule of thumb with published
 * rates. The work for these versions was not measured.
 */
#ifndef PM_ANSWER_COST_EFFORT_H
#define PM_ANSWER_COST_EFFORT_H

#include "perfmodel.h"

/* Description of a rate of work (such as lines written per hour), for tables and the option
 * --effort. All texts are static. */
typedef struct {
    const char *name;   /* name in --effort */
    const char *what;   /* description with unit */
    const char *source; /* source of its default, or "assumed" */
    double value;       /* default */
    size_t offset;      /* offset in bytes of the rate's value in the struct pm_effort_rates */
} pm_effort_rate;

enum { PM_EFFORT_RATES = 5 };
/* Returns the description of a rate; NULL if i >= PM_EFFORT_RATES. */
const pm_effort_rate *pm_effort_rate_at(size_t i);
/* Returns the address of the member of `rates` that holds the value of this rate. */
double *pm_effort_rate_of(pm_effort_rates *rates, const pm_effort_rate *rate);

pm_effort_rates pm_effort_default(void);
/* Returns the estimated hours with their 90 % interval. All are 0 if nothing is rewritten. */
pm_interval pm_effort_hours(const pm_rewrite_size *size, const pm_effort_rates *rates);

#endif
