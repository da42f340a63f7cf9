/* Counts a GPU's work with CUPTI's range profiler: the work is repeated as often as the metrics
 * need, one range a launch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUPTI_RANGE_H
#define PM_COLLECTOR_CUPTI_CUPTI_RANGE_H

#include "collector/cupti/cupti_metrics.h"

/* The work, which can be repeated. */
typedef struct {
    size_t launches;
    pm_status (*begin)(void *user, pm_error *err); /* before each pass: sets the data back */
    /* After the counting of a pass has started and before its first range: runs all the launches
     * and sets the data back, so that what is counted finds caches as warm as what is timed.
     * Starting to count empties them, the instruction caches too. */
    pm_status (*warm_up)(void *user, pm_error *err);
    /* Runs one launch to its end. */
    pm_status (*launch)(void *user, size_t launch, pm_error *err);
    void *user;
} pm_cupti_work;

/* values[launch * counters + i], where counters is the size of the table that metrics was made
 * from. context is current. */
pm_status pm_cupti_count(const pm_cupti *cupti, pm_cupti_metrics *metrics, pm_cu_context context,
                         const pm_cupti_work *work, size_t counters, double *values, pm_error *err);

#endif
