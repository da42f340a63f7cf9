/* Measuring one loaded workload: is the result right, and how long does a pass take.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_MEASURE_H
#define PM_COLLECTOR_MEASURE_H

#include "base/cancel.h"
#include "collector/executor.h"

/* Where a workload has a reference: runs it once for what is expected, before the workload itself
 * is loaded. */
pm_status pm_measure_reference(pm_executor *executor, pm_workload *workload, pm_error *err);
/* Reads the outputs of the last pass and holds them against the reference. PM_FAILED names the
 * workload and what differs. */
pm_status pm_measure_check(pm_executor *executor, const pm_workload *workload, pm_error *err);

/* The launches of a workload by kernel: a sample is a kernel, with all its launches of a pass. */
typedef struct {
    const char *kernel; /* owned by the workload */
    double time_s, time_mad_s;
    double work_items, work_groups, launches; /* of all launches */
    double work_group;                        /* work-items of one in the last launch */
} pm_kernel_time;

typedef struct {
    size_t runs;
    size_t kernel_count;
    pm_kernel_time *kernels;
} pm_timing;

/* Runs the loaded workload until the median of every kernel is steady: at least 7 passes, until the
 * standard error of the median (pm_median_error) is under 0.5 %, at most 101 passes or 2 seconds.
 * Asks cancel before each. Free with pm_timing_free. */
pm_status pm_measure_time(pm_executor *executor, const pm_workload *workload,
                          const pm_cancel *cancel, pm_timing *timing, pm_error *err);
void pm_timing_free(pm_timing *timing);
/* The kernels of a workload that nothing is timed on: times are NaN, and there are no runs. */
pm_status pm_timing_untimed(const pm_workload *workload, pm_timing *timing, pm_error *err);

/* Seconds of one pass over all launches, for deciding whether a size can be measured. */
pm_status pm_measure_once(pm_executor *executor, const pm_workload *workload, double *seconds,
                          pm_error *err);

/* Index in timing->kernels of a launch's kernel. */
size_t pm_timing_kernel(const pm_timing *timing, const char *kernel);

/* ---- count_kernels.c: the counts of launches, summed by kernel ------------------------------ */

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
