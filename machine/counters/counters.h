/* The counter table: each counter's meaning, unit and kind, and the CUPTI metrics that give its
 * value on each family of chips.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It is read from counters.ini, which a user can read and extend.
 */
#ifndef PM_MACHINE_COUNTERS_COUNTERS_H
#define PM_MACHINE_COUNTERS_COUNTERS_H

#include "machine/counters/events.h"
#include "perfmodel.h"

typedef struct pm_counter_table pm_counter_table;

/* Reads the counter table from an INI file. path NULL: the shipped counters.ini. */
pm_counter_table *pm_counter_table_read(const char *path, pm_error *err);
void pm_counter_table_free(pm_counter_table *table);
size_t pm_counter_table_size(const pm_counter_table *table);
const char *pm_counter_name(const pm_counter_table *table, size_t counter);
const char *pm_counter_unit(const pm_counter_table *table, size_t counter);
pm_counter_kind pm_counter_kind_at(const pm_counter_table *table, size_t counter);
/* Returns the kind of the counter with this name. If the table has no such counter, returns
 * PM_COUNTER_CODE. */
pm_counter_kind pm_counter_kind_of(const pm_counter_table *table, const char *name);

/* Returns the event of the trace engine that a counter counts. PM_EVENT_COUNT: the engine does not
 * count it. */
pm_event pm_counter_event(const pm_counter_table *table, size_t counter);
/* Returns "registers", "shared_bytes" or "resident_groups" if the counter is this property of a
 * launch. The driver knows such a property without running the kernel, and it is not summed over
 * launches. NULL: the counter counts events. */
const char *pm_counter_launch_property(const pm_counter_table *table, size_t counter);

/* Returns the family of a chip by its name in CUPTI; example: "hopper" for "GH100". NULL if the
 * table does not have the chip. */
const char *pm_counter_family(const pm_counter_table *table, const char *chip);
/* Returns CUPTI's formula for a counter: metric names joined by " + " or " - ". NULL: the family
 * does not have the counter, and its cell in datasets stays empty. */
const char *pm_counter_expression(const pm_counter_table *table, size_t counter,
                                  const char *family);
/* Returns the index-th formula of a counter, over all families of chips; index starts at 0. Equal
 * formulas may occur several times. NULL: there is no further formula. */
const char *pm_counter_any_expression(const pm_counter_table *table, size_t counter, size_t index);
/* Reads the next term of a formula such as "a + b - c" at *rest and advances *rest past it. Writes
 * the term's metric name to `metric`, which has `size` bytes, at least PM_METRIC_NAME. *sign
 * becomes 1 or -1. Returns false if there is no further term. */
#define PM_METRIC_NAME 128
bool pm_counter_expression_next(const char **rest, char *metric, size_t size, int *sign);

#endif
