/* What L2 knows of a launch, and the counters that it makes of that.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_L2_COUNTS_H
#define PM_COLLECTOR_TRACE_MEMORY_L2_COUNTS_H

#include "collector/trace/memory/wave.h"
#include "counters/events.h"

/* A sum over the seen cells, and what its spread is known from. */
typedef struct {
    double current, sum, squares; /* of the present cell; over the cells before */
} pm_l2_cells;

/* An estimate and its squared standard error. */
typedef struct {
    double value, variance;
} pm_l2_estimate;

typedef struct {
    double seen, cells;
    size_t shown;                     /* cells that had requests */
    pm_l2_cells sectors[PM_L2_KINDS]; /* of requests */
    /* Run whole: sectors that missed and were not a first touch; sectors written back; and the
     * first touches. */
    uint64_t missed[PM_L2_KINDS], written_back;
    size_t first, after;
    /* Sampled: distinct sectors. */
    pm_l2_estimate read, written;
    /* What a wave fetches and writes, where its requests are known. */
    pm_wave_counts wave;
    bool wave_known;
    double beyond; /* share of what L2 fetches and writes back that passes the cache behind it */
} pm_l2_launch;

static inline bool pm_l2_is_sampled(const pm_l2_launch *l)
{
    return l->seen < l->cells;
}

static inline pm_l2_estimate pm_l2_sum_of(pm_l2_estimate a, pm_l2_estimate b)
{
    return (pm_l2_estimate){a.value + b.value, a.variance + b.variance};
}

/* Adds the l2_* and dram_* events of a launch to totals, by event, and their squared standard
 * errors to variance (may be NULL). far: share of the sectors that pass a second slice. */
void pm_l2_put_cached(const pm_l2_launch *l, unsigned sector_bytes, double far, double *totals,
                      double *variance);
/* The same of a GPU without L2: every request goes to memory. */
void pm_l2_put_direct(const pm_l2_launch *l, unsigned sector_bytes, double *totals,
                      double *variance);

#endif
