/* Where a collection's counters come from, and the columns that they fill.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECT_COLLECT_COUNTERS_H
#define PM_COLLECT_COLLECT_COUNTERS_H

#include "collector/executor.h"
#include "counts/columns.h"
#include "program/program.h"

typedef struct {
    pm_session *session;
    const pm_collect_options *options;
    pm_executor *executor; /* that counts on the device; NULL: the trace engine does, or nothing */
    const char *source;    /* counter_source of the rows */
    const char *tool;      /* what counts, for people; NULL: nothing */
    char target[64];       /* of the trace engine; "" where something else counts */
    const pm_count_columns *columns; /* the session's */
} pm_counting;

/* Chooses the source for a device as options say. timer is its OpenCL executor; NULL where there is
 * no device, and the trace engine is all there is. On failure, too, close what there is. */
pm_status pm_counting_open(pm_counting *counting, pm_session *session,
                           const pm_collect_options *options, const pm_device *device,
                           pm_executor *timer, pm_error *err);
void pm_counting_close(pm_counting *counting);

/* Counts a workload of the program, which the timer has loaded: cells[kernel * columns->count +
 * column]. */
pm_status pm_counting_workload(const pm_counting *counting, const pm_program *program,
                               const pm_workload *workload, const pm_timing *timing, double *cells,
                               pm_error *err);

#endif
