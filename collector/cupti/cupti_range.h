/* Counts hardware events of kernel launches by CUPTI's range profiler.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All launches are repeated in as many passes as are needed to count all metrics. Each launch is a
 * range of its own.
 */
#ifndef PM_COLLECTOR_CUPTI_CUPTI_RANGE_H
#define PM_COLLECTOR_CUPTI_CUPTI_RANGE_H

#include "collector/cupti/cupti_metrics.h"

/* The kernel launches to count. CUPTI counts in several passes over the launches, so every pass
 * must do the same work. */
typedef struct {
    size_t launches;
    /* restores the buffers' initial data before each pass over the launches */
    pm_status (*begin)(void *user, pm_error *err);
    /* Called after counting has started in a pass over the launches, before the first counted
     * launch (range). It runs all launches and restores the data. The reason is that CUPTI empties
     * all caches, including instruction caches, when it starts to count. Counted launches should
     * find the same data in caches as timed launches. */
    pm_status (*warm_up)(void *user, pm_error *err);
    /* Runs one launch and waits for its end. */
    pm_status (*launch)(void *user, size_t launch, pm_error *err);
    void *user;
} pm_cupti_work;

/* Counts all launches of `work` and sets values[launch * counters + i] for counter i of the counter
 * table from which `metrics` was created. counters: number of counters in that table. context: the
 * GPU's CUDA context, which must be current for the calling thread. */
pm_status pm_cupti_count(const pm_cupti *cupti, pm_cupti_metrics *metrics, pm_cu_context context,
                         const pm_cupti_work *work, size_t counters, double *values, pm_error *err);

#endif
