/* L2 traffic of a wave: the work-groups that run at the same time on all compute units.
 *
 * If a launch is sampled, only some cells (work-groups of one wave on one compute unit) are run. If
 * the addresses of each memory instruction are linear in the work-group's position in the grid, the
 * requests of another compute unit have the addresses of the sampled cell's requests plus a
 * constant. The recorded requests are therefore replayed for all compute units in lockstep, with an
 * L2 that earlier waves have filled in the same way.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_L2_WAVE_REPLAY_H
#define PM_COLLECTOR_ENGINE_L2_WAVE_REPLAY_H

#include "collector/engine/memory/memory_unit.h"

/* Distribution of a launch's work-groups over compute units. A cell is the work-groups of one wave
 * on one compute unit. The i-th group of a cell has, in the launch, the number (wave * resident +
 * i) * units + unit, where `wave` and `unit` identify the cell. */
typedef struct {
    uint64_t units, resident;
    uint64_t groups[3]; /* number of groups in each dimension */
} pm_wave_plan;

/* Sets `at` to the position of a work-group in the grid (its group id in each dimension). group:
 * its number in the launch. groups: number of work-groups in each dimension. */
void pm_wave_place(const uint64_t groups[3], uint64_t group, double at[3]);

/* Stride in bytes of a memory instruction's addresses from one group to the next, in each
 * dimension. known: true if the addresses are linear in the group's position in the grid. */
typedef struct {
    bool known;
    double by[3];
} pm_site_shift;

typedef struct pm_wave pm_wave;

/* Creates an empty record of requests to L2. NULL if out of memory. */
pm_wave *pm_wave_create(void);
void pm_wave_free(pm_wave *wave);
/* Begins a launch and discards the recorded requests. */
void pm_wave_begin(pm_wave *wave);
/* Records requests of a sampled cell (work-groups of one wave on one compute unit) in their order.
 * All requests of one cell come before those of the next, and only the first cell is recorded.
 * false if out of memory. */
bool pm_wave_add(pm_wave *wave, size_t cell, const pm_l2_request *requests, size_t count);

/* Size and geometry of the simulated L2. bytes: its capacity. behind: capacity in bytes of the next
 * cache level, which has lines of the same size (0: there is none). */
typedef struct {
    double bytes, behind;
    unsigned line_bytes, sector_bytes, ways;
    bool pairs; /* true: a load that misses fetches an aligned pair of sectors */
} pm_wave_cache;

/* Sectors that were requested from L2, and sectors that missed, by kind of request. fetched: missed
 * sectors that the next cache level did not have either. dirtied: sectors that a store or an atomic
 * changed in L2 and that were not dirty before. L2 writes each dirtied sector to memory once.
 * knows_dirtied: false if the stores of the recorded groups do not agree with the strides, so that
 * `dirtied` is wrong. */
typedef struct {
    double asked[PM_L2_KINDS], missed[PM_L2_KINDS], fetched, dirtied;
    bool knows_dirtied;
} pm_wave_counts;

/* Replays the recorded requests of a few work-groups for all work-groups of a wave, the work-groups
 * that run at the same time. shift[s]: by how much the addresses of memory instruction s differ
 * between neighbouring work-groups, where s is pm_l2_request's site - 1. *known becomes false, and
 * *counts is not set, if addresses are not linear in the group's position or the replay would take
 * too long. */
pm_status pm_wave_replay(const pm_wave *wave, const pm_wave_plan *plan, const pm_site_shift *shift,
                         size_t sites, const pm_wave_cache *l2, pm_wave_counts *counts, bool *known,
                         pm_error *err);

#endif
