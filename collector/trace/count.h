/* Counts a launch: all of it, or a sample that is scaled up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_COUNT_H
#define PM_COLLECTOR_TRACE_COUNT_H

#include "base/pool.h"
#include "collector/trace/group.h"
#include "collector/trace/sampling.h"

/* A memory instruction's counts, scaled to the whole launch. */
typedef struct {
    double executions, work_items, transactions, near;
    bool same;
} pm_site_total;

typedef struct {
    double values[PM_EVENT_COUNT], variance[PM_EVENT_COUNT]; /* variance: NaN is unknown */
    pm_site_total *sites;
    double sampled; /* share of the work-groups that ran */
} pm_launch_counts;

typedef struct {
    const pm_launch_run *run;
    const pm_gpu *gpu;
    unsigned resident;
    size_t l1_bytes;
    double sample;     /* share of the work-groups; 0: as many as work allows */
    double work, most; /* blocks to run; and then no more than this share, in (0, 1] */
    uint64_t seed;
    pm_pool *pool; /* NULL: one cell after the other */
    pm_l2 *l2;
    uint8_t *executed; /* a bit for each group of the launch; those that run are set. May be NULL */
} pm_count_request;

/* l2_* and dram_* stay 0: l2 knows them when all launches have been counted. */
pm_status pm_launch_count(const pm_count_request *request, pm_launch_counts *counts, pm_error *err);
void pm_launch_counts_free(pm_launch_counts *counts);

/* Runs the groups of a launch that executed has no bit of (NULL: all), without counting. pool NULL:
 * in their order. */
pm_status pm_launch_execute(const pm_launch_run *run, const uint8_t *executed, pm_pool *pool,
                            pm_error *err);

#endif
