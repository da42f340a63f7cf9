/* Times the launches of a workload by CUDA's events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_TIMING_H
#define PM_COLLECTOR_CUPTI_CUDA_TIMING_H

#include "collector/cupti/cuda_program.h"

typedef struct {
    const pm_cuda_driver *cuda;
    size_t launches;
    /* launches + 1 CUDA events, recorded before the first launch and after each launch */
    pm_cu_event *events;
    pm_cu_module module;
    pm_cu_function hold;
} pm_cuda_timing;

/* Creates the events for timing `launches` launches. A CUDA context must be current in this
 * function and in the functions below. Call pm_cuda_timing_close also after an error. */
pm_status pm_cuda_timing_open(const pm_cuda_driver *cuda, size_t launches, pm_cuda_timing *timing,
                              pm_error *err);
void pm_cuda_timing_close(pm_cuda_timing *timing);
/* Runs all launches of `program` once, and sets seconds[i] to the duration of launch i. */
pm_status pm_cuda_timing_run(pm_cuda_timing *timing, pm_cuda_program *program, double *seconds,
                             pm_error *err);

#endif
