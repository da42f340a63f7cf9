/* What launches count that were left out of a series of them over a changing range.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_SERIES_H
#define PM_COLLECTOR_TRACE_SERIES_H

#include "collector/trace/launches.h"

/* Fills in the counts of the launches of a kind that were not counted: what a work-group counts, in
 * the mean of a stretch, changes evenly from one counted stretch to the next, and each launch has
 * its own number of work-groups. The variance of the total is that of a sum of the stretches, each
 * of which may be as wrong as it is off the line between its neighbours: where counts bend, that is
 * four times what the line between two of them is off. counts has launch_count members. PM_FAILED,
 * and nothing said, if there is no memory. */
pm_status pm_series_fill(const pm_workload *workload, const pm_launch_choice *choices, size_t kind,
                         size_t sites, pm_launch_counts *counts);

#endif
