/* Where a collection's counters come from, and the columns that they fill.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_COLLECT_COUNTERS_H
#define PM_COLLECTOR_COLLECT_COUNTERS_H

#include "executor.h"
#include "measure.h"

typedef struct {
    pm_counter_table *table;
    pm_executor *executor; /* NULL: time only */
    const char *source;    /* counter_source of the rows */
    char target[64];       /* of the trace engine; "" where something else counts */
    /* The table's counters, `launches`, and where the trace engine counts the standard error of
     * each counter that it samples. */
    const char **columns;
    size_t column_count, table_size;
    size_t *error_of; /* a column past `launches`: the counter whose error it holds */
    /* Where set, and where the trace engine counts: the access tables of the last workload. */
    bool keep_accesses;
    pm_trace_kernel *accesses;
    size_t access_count;
} pm_counting;

/* Chooses the source for a device as options say. timer is its OpenCL executor; NULL where there is
 * no device, and the trace engine is all there is. On failure, too, close what there is. */
pm_status pm_counting_open(pm_counting *counting, const pm_collect_options *options,
                           const pm_device *device, pm_executor *timer, pm_error *err);
void pm_counting_close(pm_counting *counting);

/* Counts a workload, which the timer has loaded: cells[kernel * column_count + column]. */
pm_status pm_counting_workload(pm_counting *counting, const pm_workload *workload,
                               const pm_timing *timing, double *cells, pm_error *err);

#endif
