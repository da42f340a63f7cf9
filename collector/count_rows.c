/* The counters of a workload as rows of a dataset. See count_rows.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "count_rows.h"

#include <math.h>
#include <stdlib.h>

#include "dataset_memory.h"
#include "error.h"

pm_status pm_rows_open(pm_counting *counting, const char *target, const char *datasets,
                       double sample, double step_limit, unsigned long long seed, const pm_log *log,
                       pm_error *err)
{
    pm_collect_options options = {.device = "none",
                                  .counters = "trace",
                                  .target = target,
                                  .datasets = datasets,
                                  .sample = sample,
                                  .step_limit = step_limit,
                                  .seed = seed};

    if (log)
        options.log = *log;
    return pm_counting_open(counting, &options, NULL, NULL, err);
}

pm_dataset *pm_rows_dataset(const pm_counting *counting, pm_error *err)
{
    return pm_dataset_memory("counted", counting->columns, counting->column_count, err);
}

static pm_status append(const pm_counting *counting, const pm_workload *workload,
                        const pm_timing *timing, const double *cells, pm_dataset *rows,
                        pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t k = 0; status == PM_OK && k < timing->kernel_count; k++) {
        const pm_kernel_time *kernel = &timing->kernels[k];
        const pm_sample row = {.device = counting->target,
                               .program = workload->program,
                               .variant = workload->variant,
                               .size = workload->size,
                               .kernel = kernel->kernel,
                               .counter_source = counting->source,
                               .time_s = (double)NAN,
                               .time_mad_s = (double)NAN,
                               .work_items = kernel->work_items,
                               .work_group = kernel->work_group,
                               .counters = cells + k * counting->column_count};

        status = pm_dataset_append(rows, &row, err);
    }
    return status;
}

pm_status pm_rows_count(pm_counting *counting, const pm_workload *workload, pm_dataset *rows,
                        pm_error *err)
{
    pm_timing timing = {0};
    double *cells = NULL;
    pm_status status = pm_timing_untimed(workload, &timing, err);

    if (status == PM_OK) {
        cells = calloc(timing.kernel_count * counting->column_count, sizeof *cells);
        if (!cells)
            status = pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    }
    if (status == PM_OK)
        status = pm_counting_workload(counting, workload, &timing, cells, err);
    if (status == PM_OK)
        status = append(counting, workload, &timing, cells, rows, err);
    free(cells);
    pm_timing_free(&timing);
    return status;
}
