/* Records when the cells of a sampled launch access the same cache lines. A cell is the work-groups
 * of one wave on one compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only lines that a hash selects are recorded, so that the memory does not grow with the launch.
 */
#ifndef PM_COLLECTOR_ENGINE_L2_LINE_SAMPLE_H
#define PM_COLLECTOR_ENGINE_L2_LINE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pm_line_sample pm_line_sample;

/* Creates an empty record of accesses to cache lines. regions: number of memory regions (buffers)
 * that are counted separately. NULL if out of memory. */
pm_line_sample *pm_line_sample_create(size_t regions);
void pm_line_sample_free(pm_line_sample *sample);

/* Begins a launch: forgets all recorded lines. */
void pm_line_sample_begin(pm_line_sample *sample);
/* Begins a later wave of work-groups. wave: its number in the launch, from 0. */
void pm_line_sample_next_wave(pm_line_sample *sample, uint64_t wave);
/* Returns whether the hash selects the line, so that accesses to it are recorded. */
bool pm_line_sample_selects(const pm_line_sample *sample, uint64_t line);
/* Records that cell number `cell` (from 1) (work-groups of one wave on one compute unit) accesses a
 * selected line of a memory region (buffer). at: number of sectors that the cell had requested
 * before. */
void pm_line_sample_touch(pm_line_sample *sample, uint64_t line, size_t region, uint64_t cell,
                          uint64_t at);

/* Returns 1 if the sampled cells (work-groups of one wave on one compute unit) access shared lines
 * at the same point of their run, or if they share no lines. Returns 0 if these points are
 * independent, and otherwise a number in between. length: mean number of sectors that a cell
 * requests. */
double pm_line_sample_alignment(const pm_line_sample *sample, double length);

/* Estimated numbers of accesses of waves to lines. lines: number of lines that the sampled waves
 * accessed. An access counts once for each line and each wave that accesses it. seen: number of
 * accesses to lines that an earlier wave accessed. every: value of `seen` if each wave accessed all
 * `lines` lines. far: number of the accesses in `seen` whose line was last accessed more than
 * `window` waves before (pm_line_sample_returns). far_random: estimate of `far` if each wave
 * accessed random lines of the region. */
typedef struct {
    double lines, seen, every, far, far_random;
} pm_line_returns;

/* Returns the estimated numbers of repeated accesses to a memory region (buffer) that has `lines`
 * lines. window: an access counts in `far` if the line was last accessed more than this number of
 * waves before. A wave is the work-groups that run at the same time. If lines is 0, far_random is
 * 0. */
pm_line_returns pm_line_sample_returns(const pm_line_sample *sample, size_t region, double lines,
                                       double window);

#endif
