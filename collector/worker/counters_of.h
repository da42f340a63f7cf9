/* Converts the events of a launch to the counter table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_COUNTERS_OF_H
#define PM_COLLECTOR_WORKER_COUNTERS_OF_H

#include "machine/counters/counters.h"
#include "machine/counters/events.h"
#include "machine/rules.h"

/* Sets values[i] and errors[i] (errors may be NULL) for counter i of the table. NaN: the GPU does
 * not have the counter, or the engine does not know it. */
void pm_launch_counters(const pm_counter_table *table, const pm_gpu *gpu,
                        const pm_counted_launch *launch, double *values, double *errors);

#endif
