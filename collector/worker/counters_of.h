/* Converts the events of a launch, counted by the trace engine, to the counters of a counter table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_COUNTERS_OF_H
#define PM_COLLECTOR_WORKER_COUNTERS_OF_H

#include "machine/counters/counters.h"
#include "machine/counters/events.h"
#include "machine/rules.h"

/* Sets values[i] to counter i of the table and errors[i] to its standard error (errors may be
 * NULL). NaN: the GPU does not have the counter, or the trace engine cannot count it. */
void pm_launch_counters(const pm_counter_table *table, const pm_gpu *gpu,
                        const pm_counted_launch *launch, double *values, double *errors);

#endif
