/* The names that a collection is asked for: programs, variants, sizes and how they are counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_COLLECT_NAMES_H
#define PM_COLLECTOR_COLLECT_NAMES_H

#include "perfmodel.h"

/* Whether a NULL-terminated list holds the name; no list holds every name. */
bool pm_listed(const char *const *list, const char *name);

/* PM_BAD_INPUT if these are no options of the trace engine; 0 is the default of both. */
pm_status pm_sampling_check(double sample, double step_limit, pm_error *err);

/* PM_BAD_INPUT, with the right names, if a name is wrong, or if no program has the variants and
 * sizes together. */
pm_status pm_collect_check(const pm_collect_options *options, pm_error *err);

#endif
