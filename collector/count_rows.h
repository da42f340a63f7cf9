/* The counters of a workload as rows of a dataset, without running it anywhere.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_COUNT_ROWS_H
#define PM_COLLECTOR_COUNT_ROWS_H

#include "collect_counters.h"

/* Opens the trace engine for a target; on failure, too, close it with pm_counting_close. */
pm_status pm_rows_open(pm_counting *counting, const char *target, const char *datasets,
                       double sample, double step_limit, unsigned long long seed, const pm_log *log,
                       pm_error *err);
/* An empty dataset with the columns that rows have. */
pm_dataset *pm_rows_dataset(const pm_counting *counting, pm_error *err);
/* Counts a workload and appends a row for each of its kernels, without times. */
pm_status pm_rows_count(pm_counting *counting, const pm_workload *workload, pm_dataset *rows,
                        pm_error *err);

#endif
