/* Which sectors of memory launches have touched, and by how many of the cells that were seen.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory is kept in pages that exist once they are touched: 1 byte a line for a launch that is run
 * whole, 2 bytes more a sector for one that is sampled (64 MiB for 1 GiB in sectors of 32 bytes).
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_FOOTPRINT_H
#define PM_COLLECTOR_TRACE_MEMORY_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pm_footprint pm_footprint;

/* line_sectors: of a line, at most 8. NULL: no memory. */
pm_footprint *pm_footprint_create(unsigned line_sectors);
void pm_footprint_free(pm_footprint *footprint);

/* Marks sectors of a line; *first: those that were not marked before. false: no memory. */
bool pm_footprint_mark(pm_footprint *footprint, uint64_t line, uint32_t sectors, uint32_t *first);

/* What a cell of a sampled launch does to sectors of a line. What it reads after it has written it
 * itself is no read. *before: those that it had touched already. Cells come one after the other.
 * false: no memory. */
bool pm_footprint_touch(pm_footprint *footprint, size_t cell, uint64_t line, uint32_t sectors,
                        bool read, bool written, uint32_t *before);

/* Prefetches the data of a line that will soon be touched, or marked (in a launch that is run
 * whole). */
void pm_footprint_expect(const pm_footprint *footprint, uint64_t line);

/* Cells that touched a sector: by one of those seen, or by several. */
typedef struct {
    uint64_t once, often;
} pm_footprint_count;

typedef struct {
    pm_footprint_count read, written, either;
} pm_footprint_counts;

/* Adds the accesses that pm_footprint_touch recorded since the last call to counts[region(context,
 * line)], line by line, and clears the records. */
void pm_footprint_collect(pm_footprint *footprint,
                          size_t (*region)(const void *context, uint64_t line), const void *context,
                          pm_footprint_counts *counts);

#endif
