/* The columns that counts of a workload fill.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COUNTS_COLUMNS_H
#define PM_COUNTS_COLUMNS_H

#include "collector/measure.h"
#include "counters/counters.h"

/* The counters of the table, `launches`, and the standard error of each counter that the trace
 * engine samples. */
typedef struct {
    pm_counter_table *table;
    size_t count, table_size;
    const char **names;
    size_t *error_of; /* a column past `launches`: the counter whose error it holds */
} pm_count_columns;

/* errors: with those, where the trace engine counts. */
const pm_count_columns *pm_count_columns_find(pm_session *session, bool errors, pm_error *err);

/* From the counts of pm_count_kernels to cells[kernel * columns->count + column]. */
void pm_count_columns_fill(const pm_count_columns *columns, const pm_timing *timing,
                           const double *values, const double *errors, double *cells);

#endif
