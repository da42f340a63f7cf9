/* Estimates L2's fetches and write-backs of a launch of which only a sample of cells runs. A cell
 * is the work-groups of one wave on one compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * We assume that the sampled cells show all sectors that several cells touch. Sectors that only one
 * sampled cell touches are scaled by the number of cells, up to the size of the buffer: distinct =
 * often + once * cells / seen. often, once: sectors that several sampled cells or only one touch;
 * seen: number of sampled cells. Each distinct sector is fetched once, and written once if the
 * launch writes it, with these exceptions:
 *
 * - If all launches together touch at most the cache's capacity, nothing is fetched or written.
 *
 * - If later waves come back to sectors after the launch touched more than the capacity, they are
 *   fetched again (reuse.h). The accesses to sectors that earlier waves touched tell how many do.
 *   Sectors that concurrent cells share are not fetched again.
 *
 * - If the cells that run at the same time, one on each compute unit, together touch more than the
 *   capacity, no data is left for the next cells. If the cells of a wave access shared sectors at
 *   the same time, each wave fetches these once. A sector that a cell accesses again after it was
 *   evicted from the cell's fraction of the cache (capacity_misses.h) is fetched or written again.
 *
 * If the requests of all groups of a wave are known (wave_replay.h), the fetched sectors come from
 * these requests. The written sectors come from the rules above, but are at most those that the
 * wave's requests give. The variance treats `once` as Poisson distributed, with a finite population
 * of cells.
 */
#ifndef PM_COLLECTOR_ENGINE_L2_SAMPLED_L2_H
#define PM_COLLECTOR_ENGINE_L2_SAMPLED_L2_H

#include "collector/engine/l2/capacity_misses.h"
#include "collector/engine/l2/footprint.h"
#include "collector/engine/l2/l2_counts.h"
#include "collector/engine/l2/line_sample.h"
#include "collector/engine/l2/reuse.h"

/* Memory that the sampled cells of a launch (cell: work-groups of one wave on one compute unit)
 * touched. The struct owns nothing. The arrays `counts` and `revisits` have an element for each
 * region (buffer), and a last one for sectors in no region. `regions` has region_count elements. */
typedef struct {
    const pm_gpu *gpu;
    double capacity; /* capacity of L2 in bytes; 0: there is no L2 */
    unsigned line_bytes, sector_bytes;
    const pm_memory_region *regions;
    size_t region_count;
    const pm_footprint_counts *counts;
    const pm_revisits *revisits;
    const pm_reuse *reuse;
    const pm_line_sample *lines;
} pm_l2_sample;

/* Returns the estimated number of distinct sectors that a launch brings into L2. scale: number of
 * cells (work-groups of one wave on one compute unit) of the launch divided by the number of
 * sampled cells. */
double pm_l2_touched_by(const pm_l2_sample *sample, double scale);

/* Sets the estimated numbers of sectors that L2 fetches and writes back in the sampled launch:
 * launch->read, launch->written and launch->stores.unread. largest[region] becomes the launch's
 * number of distinct sectors of the region (buffer) if it was smaller. */
void pm_l2_estimate_launch(const pm_l2_sample *sample, pm_l2_launch *launch, double *largest);

#endif
