/* The sectors that launches have touched, and for each the number of sampled cells (work-groups of
 * one wave on one compute unit) that touched it.
 *
 * The state is stored in pages that are allocated when first touched. The pages take 1 byte per
 * line for a launch of which all work-groups run, and 2 bytes more per sector for a launch of which
 * only a sample runs. The latter are 64 MiB for 1 GiB of memory in sectors of 32 bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_L2_FOOTPRINT_H
#define PM_COLLECTOR_ENGINE_L2_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pm_footprint pm_footprint;

/* Creates an empty footprint. line_sectors: number of sectors of a line, at most 8. NULL if out of
 * memory. */
pm_footprint *pm_footprint_create(unsigned line_sectors);
void pm_footprint_free(pm_footprint *footprint);

/* Marks sectors of a line as touched, for a launch of which all work-groups run. *first becomes the
 * mask of the sectors that were not marked before. false if out of memory. */
bool pm_footprint_mark(pm_footprint *footprint, uint64_t line, uint32_t sectors, uint32_t *first);

/* Which of the sectors of a line an access has touched in a new way, as masks of the line's
 * sectors. again: sectors that the same sampled cell had touched before. first: sectors that no
 * cell of the launch had touched before. first_written: sectors that the access writes and that no
 * cell had written before. before: all sectors of the line that some cell had touched before the
 * access. */
typedef struct {
    uint32_t again, first, first_written, before;
} pm_footprint_news;

/* Records that a cell (work-groups of one wave on one compute unit) of a sampled launch reads or
 * writes sectors of a line. A read of a sector is not recorded if the same cell has written the
 * sector before. All accesses of one cell are recorded before those of the next cell. false if out
 * of memory. */
bool pm_footprint_touch(pm_footprint *footprint, size_t cell, uint64_t line, uint32_t sectors,
                        bool read, bool written, pm_footprint_news *news);

/* Prefetches the host data of a line for a later pm_footprint_touch or pm_footprint_mark. */
void pm_footprint_expect(const pm_footprint *footprint, uint64_t line);

/* Numbers of sectors that sampled cells (work-groups of one wave on one compute unit) touched.
 * once: exactly one cell touched the sector. often: several cells touched it. */
typedef struct {
    uint64_t once, often;
} pm_footprint_count;

typedef struct {
    pm_footprint_count read, written, either;
} pm_footprint_counts;

/* Counts the sectors that pm_footprint_touch recorded since the last call, and then clears the
 * records. The sectors of a line are added to counts[region(context, line)], where `region` returns
 * the index of the memory region (buffer) that contains the line. */
void pm_footprint_collect(pm_footprint *footprint,
                          size_t (*region)(const void *context, uint64_t line), const void *context,
                          pm_footprint_counts *counts);

#endif
