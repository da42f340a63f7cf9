/* What the work-groups of a wave, which run at the same time on all compute units, fetch together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Of a sampled launch only some cells (the groups of one compute unit in one wave) are run. Where
 * each memory instruction's addresses are linear in the work-group's number, what the other compute
 * units ask of L2 is what the cell asked for, so many bytes on: so its requests are gone through
 * again for all compute units in turn, as if they kept in step, with an L2 that waves before have
 * filled the same way.
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_WAVE_H
#define PM_COLLECTOR_TRACE_MEMORY_WAVE_H

#include "collector/trace/memory/memory_unit.h"

/* How a launch is laid out: group i of a cell of a wave is (wave x resident + i) x units + unit. */
typedef struct {
    uint64_t units, resident;
    uint64_t groups[3]; /* of the launch, in each dimension */
} pm_wave_plan;

/* Where a group of the launch stands in each dimension. */
void pm_wave_place(const uint64_t groups[3], uint64_t group, double at[3]);

/* Bytes by which a memory instruction's addresses move from one group to the next, in each
 * dimension; known: they do. */
typedef struct {
    bool known;
    double by[3];
} pm_site_shift;

typedef struct pm_wave pm_wave;

/* NULL: no memory. */
pm_wave *pm_wave_create(void);
void pm_wave_free(pm_wave *wave);
/* A launch: forgets the cells of the last one. */
void pm_wave_begin(pm_wave *wave);
/* Requests of a cell, in their order; cells come one after the other, and the first one's are kept.
 * false: no memory. */
bool pm_wave_add(pm_wave *wave, size_t cell, const pm_l2_request *requests, size_t count);

/* An L2: lines of some sectors; and the bytes of the cache behind it, of which lines are the same
 * (0: none). */
typedef struct {
    double bytes, behind;
    unsigned line_bytes, sector_bytes, ways;
} pm_wave_cache;

/* Of sectors that were asked for, how many L2 did not have, by kind of request; and how many of
 * these the cache behind it did not have either. */
typedef struct {
    double asked[PM_L2_KINDS], missed[PM_L2_KINDS], fetched;
} pm_wave_counts;

/* Goes through what was kept for all groups of a wave. shift: a member a memory instruction, by
 * pm_l2_request's site - 1. *known: addresses are linear, and it does not take too long; else
 * nothing is said. */
pm_status pm_wave_replay(const pm_wave *wave, const pm_wave_plan *plan, const pm_site_shift *shift,
                         size_t sites, const pm_wave_cache *l2, pm_wave_counts *counts, bool *known,
                         pm_error *err);

#endif
