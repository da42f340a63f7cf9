/* When the cells of a sampled launch access the same lines. A cell is the work-groups of one wave
 * on one compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only lines that a hash selects are remembered, so that the memory does not grow with the launch.
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_LINE_SAMPLE_H
#define PM_COLLECTOR_ENGINE_MEMORY_LINE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pm_line_sample pm_line_sample;

/* regions: number of memory regions (buffers) that are counted separately. NULL if out of
 * memory. */
pm_line_sample *pm_line_sample_create(size_t regions);
void pm_line_sample_free(pm_line_sample *sample);

/* Begins a launch, with no lines. */
void pm_line_sample_begin(pm_line_sample *sample);
/* Begins a later wave of work-groups. wave: its number in the launch, from 0. */
void pm_line_sample_next_wave(pm_line_sample *sample, uint64_t wave);
/* Returns whether the line is remembered. */
bool pm_line_sample_selects(const pm_line_sample *sample, uint64_t line);
/* Records that a cell (work-groups of one wave on one compute unit) accesses a selected line of a
 * region. cell: its number, from 1. at: number of sectors that the cell requested before. */
void pm_line_sample_touch(pm_line_sample *sample, uint64_t line, size_t region, uint64_t cell,
                          uint64_t at);

/* Returns 1 if cells (work-groups of one wave on one compute unit) access shared lines at the same
 * point of their run, 0 if these points are independent, and a number between for what lies
 * between. 1 if cells share no lines. length: mean number of sectors that a cell requests. */
double pm_line_sample_alignment(const pm_line_sample *sample, double length);

/* Accesses of waves to lines that an earlier wave accessed. lines: number of lines that the sampled
 * waves accessed. seen: number of accesses, one for each line and each wave but the first that
 * accesses it. every: the number if each wave accesses the same lines. far: those of `seen` whose
 * last access was more than some waves before. far_random: the number of these if each wave
 * accesses random lines of the region. All numbers are estimated from the selected lines. */
typedef struct {
    double lines, seen, every, far, far_random;
} pm_line_returns;

/* Returns the returns to lines of a region that has `lines` lines. window: number of waves from
 * which an access is far. */
pm_line_returns pm_line_sample_returns(const pm_line_sample *sample, size_t region, double lines,
                                       double window);

#endif
