/* The counter table: what each counter counts, its unit, its kind, and what CUPTI calls it on each
 * family of chips. Read from counters.ini, which a user can read and extend.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COUNTERS_COUNTERS_H
#define PM_COUNTERS_COUNTERS_H

#include "counters/events.h"
#include "perfmodel.h"

typedef struct pm_counter_table pm_counter_table;

/* path NULL: the shipped counters.ini. */
pm_counter_table *pm_counter_table_read(const char *path, pm_error *err);
void pm_counter_table_free(pm_counter_table *table);
size_t pm_counter_table_size(const pm_counter_table *table);
const char *pm_counter_name(const pm_counter_table *table, size_t counter);
const char *pm_counter_unit(const pm_counter_table *table, size_t counter);
pm_counter_kind pm_counter_kind_at(const pm_counter_table *table, size_t counter);
/* By name; a name that the table does not have is a code counter. */
pm_counter_kind pm_counter_kind_of(const pm_counter_table *table, const char *name);

/* The event that the trace engine counts for the counter. PM_EVENT_COUNT: there is none. */
pm_event pm_counter_event(const pm_counter_table *table, size_t counter);
/* What a counter is of a launch that the driver knows without running it (registers, shared_bytes,
 * resident_groups); NULL: it is counted. Such a value is not summed over launches. */
const char *pm_counter_launch_property(const pm_counter_table *table, size_t counter);

/* The family of a CUPTI chip name (GH100 is hopper); NULL if the table has none. */
const char *pm_counter_family(const pm_counter_table *table, const char *chip);
/* What to ask CUPTI for: metric names joined by " + " or " - "; NULL: the family has no such
 * counter, and its cell stays empty. */
const char *pm_counter_expression(const pm_counter_table *table, size_t counter,
                                  const char *family);
/* Walks over the terms of an expression: writes the next metric name into metric and its sign, 1 or
 * -1, and moves *rest on. False at the end. size is at least PM_METRIC_NAME. */
#define PM_METRIC_NAME 128
bool pm_counter_expression_next(const char **rest, char *metric, size_t size, int *sign);

#endif
