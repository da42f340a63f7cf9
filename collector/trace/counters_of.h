/* From what a launch counted to the counter table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_COUNTERS_OF_H
#define PM_COLLECTOR_TRACE_COUNTERS_OF_H

#include "bind.h"
#include "collector/counters.h"
#include "count.h"

/* values[i] and errors[i] (may be NULL) for counter i of the table: NaN where the GPU has no such
 * counter or the engine does not know it. */
void pm_launch_counters(const pm_counter_table *table, const pm_gpu *gpu,
                        const pm_bound_launch *launch, const pm_launch_counts *counts,
                        double *values, double *errors);

#endif
