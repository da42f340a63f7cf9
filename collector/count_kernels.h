/* The counts of a workload's launches, summed by kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_COUNT_KERNELS_H
#define PM_COLLECTOR_COUNT_KERNELS_H

#include "collector/executor.h"
#include "collector/measure.h"

/* Counts one pass of the loaded workload and sums it by kernel: values[kernel * counters + i] for
 * counter i of the table, and errors (may be NULL) the standard error of each, launches taken as
 * independent. What is known of a launch without running it (registers) is not summed: the largest
 * stands for all. A counter that one of a kernel's launches lacks is unknown (NaN) for the kernel.
 * Outputs that are complete are held against the reference. executor NULL: all is unknown but the
 * work-groups. */
pm_status pm_count_kernels(pm_executor *executor, const pm_counter_table *table,
                           const pm_workload *workload, const pm_timing *timing, double *values,
                           double *errors, pm_error *err);

/* Whether sampling can leave an error in a counter. It cannot where the launch alone tells the
 * value, or where it only exists after a run on the GPU. */
bool pm_counter_is_sampled(const pm_counter_table *table, size_t counter);

#endif
