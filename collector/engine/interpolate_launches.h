/* Estimates the counts of launches that were not counted, if the kernel's number of work-groups
 * changes from launch to launch, by interpolation between counted launches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_INTERPOLATE_LAUNCHES_H
#define PM_COLLECTOR_ENGINE_INTERPOLATE_LAUNCHES_H

#include "collector/engine/select_launches.h"

/* Estimates the counts of launches that were not counted, among the launches of one kernel whose
 * number of work-groups only grows or only shrinks (a kind). Runs of a few consecutive launches
 * were counted. The mean count per work-group is interpolated linearly between the counted runs,
 * and multiplied by the launch's number of work-groups.
 *
 * The variance of the total is sum_k w_k^2 (d_k^2 + v_k) over the counted runs k. w_k: number of
 * work-groups to which the mean count of run k is applied. v_k: sampling variance of this mean
 * count. d_k: deviation of this mean count from the line between the mean counts of the runs before
 * and after it, averaged over nearby runs. If the curve is smooth, d_k is four times the error of
 * the interpolation, so the variance is an upper estimate.
 *
 * kind: index in `choices` of the first launch of the kind. sites: number of memory instructions of
 * the kernel. counts has launch_count members. PM_FAILED if out of memory; no error text is set. */
pm_status pm_series_fill(const pm_workload *workload, const pm_launch_choice *choices, size_t kind,
                         size_t sites, pm_launch_counts *counts);

#endif
