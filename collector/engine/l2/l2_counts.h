/* The L2 statistics of a launch, and the events of L2 and DRAM that are computed from them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_L2_L2_COUNTS_H
#define PM_COLLECTOR_ENGINE_L2_L2_COUNTS_H

#include "collector/engine/l2/dram_rows.h"
#include "collector/engine/l2/wave_replay.h"
#include "machine/counters/events.h"

/* A buffer in global memory: GPU address and size in bytes. Buffers do not overlap. */
typedef struct {
    uint64_t base, bytes;
} pm_memory_region;

/* A sum over the sampled cells, and the sum of squares for its variance. A cell is the work-groups
 * of one wave on one compute unit. */
typedef struct {
    /* current: value of the sampled cell (work-groups of one wave on one compute unit) that is
     * running. sum, squares: sums of the values and of their squares over the cells that have
     * ended. */
    double current, sum, squares;
} pm_l2_cells;

/* An estimate and its squared standard error. */
typedef struct {
    double value, variance;
} pm_l2_estimate;

/* Amounts that the requests of stores write. whole: sectors that a request writes completely.
 * parts: sectors of which it writes a part. words: 4-byte words in these parts. unread: fraction of
 * the written sectors that L2 did not fetch before for a load. */
typedef struct {
    double whole, parts, words, unread;
} pm_l2_stores;

typedef struct {
    double seen, cells;
    /* number of sampled cells (work-groups of one wave on one compute unit) that sent requests */
    size_t shown;
    pm_l2_cells sectors[PM_L2_KINDS]; /* requested sectors, by kind of request */
    /* number of sectors that L2 would fetch for the launch's loads if all of them missed */
    double opened;
    pm_l2_stores stores;
    /* Simulated accesses to DRAM: [0] for loads that miss, [1] for stores and atomics. Only the
     * number of opened rows for each sector is used. */
    pm_dram_accesses dram[2];
    /* Valid only if all work-groups of the launch run. missed: number of sectors that missed L2
     * although they were accessed before, by kind of request. written_back: number of sectors that
     * L2 wrote back. first, after: the launch's first accesses to sectors are the elements first to
     * after - 1 of the array pm_l2.touches. */
    uint64_t missed[PM_L2_KINDS], written_back;
    size_t first, after;
    /* Estimated numbers of distinct sectors that a sampled launch reads and writes. */
    pm_l2_estimate read, written;
    /* Sectors that all work-groups of a wave together fetch and write. Valid if wave_known is
     * true. */
    pm_wave_counts wave;
    bool wave_known;
    /* Fraction of L2's fetches and write-backs that also miss in the next cache level. The fraction
     * is 1 if there is no further cache level. */
    double beyond;
} pm_l2_launch;

static inline bool pm_l2_is_sampled(const pm_l2_launch *l)
{
    return l->seen < l->cells;
}

static inline pm_l2_estimate pm_l2_sum_of(pm_l2_estimate a, pm_l2_estimate b)
{
    return (pm_l2_estimate){a.value + b.value, a.variance + b.variance};
}

/* Adds the events of L2 and DRAM (l2_*, dram_*) of a launch to totals[event], and their squared
 * standard errors to variance[event]; variance may be NULL. */
void pm_l2_put_cached(const pm_l2_launch *l, const pm_gpu *gpu, unsigned sector_bytes,
                      double *totals, double *variance);
/* Adds the events of DRAM (dram_*) of a launch on a GPU without L2, where every request goes to
 * memory. */
void pm_l2_put_direct(const pm_l2_launch *l, unsigned sector_bytes, double *totals,
                      double *variance);

#endif
