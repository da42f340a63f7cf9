/* Measures a workload that an executor (OpenCL, CUDA or the trace engine) has loaded: checks its
 * results and times passes over its launches (each launch once per pass).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_MEASURE_H
#define PM_COLLECTOR_MEASURE_H

#include "base/cancel.h"
#include "collector/executor.h"

/* If the workload has a reference (a workload that computes the same outputs), runs the reference
 * once for the expected results. Call this function before the workload is loaded. */
pm_status pm_measure_reference(pm_executor *executor, pm_workload *workload, pm_error *err);
/* Compares the outputs of the last pass over the workload's launches with those of the workload's
 * reference, which computes the same outputs. If they differ, the result is PM_FAILED, and the
 * error names the workload and the difference. */
pm_status pm_measure_check(pm_executor *executor, const pm_workload *workload, pm_error *err);

/* Time of a kernel, summed over all its launches in one pass over the workload's launches. The
 * struct becomes one row of the dataset. */
typedef struct {
    const char *kernel; /* owned by the workload */
    double time_s, time_mad_s;
    double work_items, work_groups, launches; /* sums over the launches */
    double work_group;                        /* work-items per work-group in the last launch */
} pm_kernel_time;

typedef struct {
    size_t runs;
    size_t kernel_count;
    pm_kernel_time *kernels;
} pm_timing;

/* Runs passes over the loaded workload's launches until the median time of every kernel is steady:
 * the standard error of the median (pm_median_error) is below 0.5 %. The function runs at least 7
 * passes, and at most 101 passes or 2 seconds. Checks `cancel` before each pass. Free the result
 * with pm_timing_free. */
pm_status pm_measure_time(pm_executor *executor, const pm_workload *workload,
                          const pm_cancel *cancel, pm_timing *timing, pm_error *err);
void pm_timing_free(pm_timing *timing);
/* Lists the kernels of a workload without running it. Times are NaN, and the number of runs is
 * 0. */
pm_status pm_timing_untimed(const pm_workload *workload, pm_timing *timing, pm_error *err);

/* Sets *seconds to the time of one pass over the workload's launches (each launch once). Callers
 * use it to decide whether the program is fast enough in this size to be measured. */
pm_status pm_measure_once(pm_executor *executor, const pm_workload *workload, double *seconds,
                          pm_error *err);

/* Returns the index in timing->kernels of the kernel with this name. */
size_t pm_timing_kernel(const pm_timing *timing, const char *kernel);

/* ---- count_kernels.c: the counts of launches, summed by kernel ------------------------------ */

/* Counts the events of one pass over the loaded workload's launches (each launch once), and sums
 * the counters by kernel. values[kernel * counters + i]: counter i of the counter table. errors:
 * standard error of each value, if errors of launches are independent; may be NULL. A resource such
 * as the number of registers is not summed: the kernel gets the maximum over its launches. A
 * counter that is unknown for one launch is unknown (NaN) for its kernel. If all outputs were
 * computed, they are compared with the reference. wrong: gets the message if they differ, or if
 * they cannot be compared; NULL: this is an error. executor NULL: nothing runs, and only the number
 * of work-groups is set. */
pm_status pm_count_kernels(pm_executor *executor, const pm_counter_table *table,
                           const pm_workload *workload, const pm_timing *timing, double *values,
                           double *errors, pm_error *wrong, pm_error *err);

/* Returns whether a counter of the trace engine may have an error because only a sample of the
 * work-groups was run. The counter has no error if the launch itself determines the value, such as
 * the number of work-groups, or if the counter is only measured on a GPU. */
bool pm_counter_is_sampled(const pm_counter_table *table, size_t counter);

#endif
