/* Finds the workloads whose results are already in a dataset, so that they are not measured again.
 * See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/collect/parts.h"

#include <string.h>

#include "base/strings.h"
#include "model/samples/table.h"

const pm_sample *pm_stored_kernel(const pm_stored *stored, const pm_workload *workload,
                                  const char *kernel)
{
    const pm_sample like = {.device = stored->device,
                            .program = workload->program,
                            .variant = workload->variant,
                            .size = workload->size,
                            .kernel = kernel,
                            .counter_source = stored->source};
    size_t row = pm_dataset_find_key(stored->rows, &like);

    return row == PM_NO_ENTRY ? NULL : pm_dataset_sample(stored->rows, row);
}

bool pm_stored_workload(const pm_stored *stored, const pm_workload *workload, double *pass_s)
{
    *pass_s = 0;
    for (size_t i = 0; i < workload->launch_count; i++) {
        const char *kernel = workload->launches[i].kernel;
        const pm_sample *row = pm_stored_kernel(stored, workload, kernel);
        size_t first = 0;

        if (!row)
            return false;
        while (strcmp(workload->launches[first].kernel, kernel) != 0)
            first++;
        /* A row has the sum of the times of all launches of its kernel. Add this time only once, at
         * the first launch of the kernel. */
        if (first == i)
            *pass_s += row->time_s;
    }
    return true;
}

bool pm_stored_any(const pm_stored *stored, const char *program, const char *variant,
                   const char *size)
{
    for (size_t i = 0; i < pm_dataset_rows(stored->rows); i++) {
        const pm_sample *row = pm_dataset_sample(stored->rows, i);

        if (strcmp(row->size, size) == 0 && strcmp(row->variant, variant) == 0 &&
            strcmp(row->program, program) == 0 &&
            strcmp(row->counter_source, stored->source) == 0 &&
            strcmp(row->device, stored->device) == 0)
            return true;
    }
    return false;
}
