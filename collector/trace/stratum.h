/* Cells that stand for a part of a launch, and what they counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_STRATUM_H
#define PM_COLLECTOR_TRACE_STRATUM_H

#include "collector/trace/count.h"

typedef struct {
    double cells, groups;
    /* Over the cells: sums of each event, of its square, of it times the cell's groups; and of the
     * squares of the groups. */
    double sum[PM_EVENT_COUNT], square[PM_EVENT_COUNT], with_groups[PM_EVENT_COUNT];
    double groups_square;
    pm_site_total *sites;
} pm_stratum;

pm_status pm_stratum_create(pm_stratum *stratum, const pm_kernel_code *code, pm_error *err);
void pm_stratum_free(pm_stratum *stratum);

/* Adds a cell of so many groups; what its blocks are made of becomes the events of instructions. */
void pm_stratum_add(pm_stratum *stratum, const pm_kernel_code *code, uint64_t groups,
                    const pm_tally *tally);

/* Adds to counts what the stratum tells of the `groups` groups that it stands for: the ratio
 * estimator of cluster sampling with its variance (Cochran, Sampling Techniques, 3rd edition,
 * section 11.8), the clusters being the cells. */
void pm_stratum_scale(const pm_stratum *stratum, double groups, const pm_kernel_code *code,
                      pm_launch_counts *counts);

#endif
