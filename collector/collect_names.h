/* The names that a collection is asked for: programs, variants, sizes and where counters come from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_COLLECT_NAMES_H
#define PM_COLLECTOR_COLLECT_NAMES_H

#include "perfmodel.h"

/* Whether a NULL-terminated list holds the name; no list holds every name. */
bool pm_listed(const char *const *list, const char *name);

/* PM_BAD_INPUT, with the right names, if a name is wrong, or if no program has the variants and
 * sizes together. */
pm_status pm_collect_check(const pm_collect_options *options, pm_error *err);

#endif
