/* Datasets that are made in memory: rows of counters that are wanted for a prediction and belong in
 * no file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "samples/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strings.h"
#include "samples/table.h"

static pm_status no_memory(const char *name, pm_error *err)
{
    return pm_fail(err, PM_FAILED, "%s: out of memory for its rows", name);
}

pm_dataset *pm_dataset_memory(const char *name, const char *const *counters, size_t count,
                              pm_error *err)
{
    pm_dataset *dataset = pm_dataset_create(name);
    bool sound = dataset && (dataset->counters = calloc(count + 1, sizeof *dataset->counters));

    for (size_t i = 0; sound && i < count; i++) {
        dataset->counters[i] = pm_strings_add(&dataset->strings, counters[i]);
        sound = dataset->counters[i];
    }
    if (!sound) {
        pm_dataset_free(dataset);
        no_memory(name, err);
        return NULL;
    }
    dataset->counter_count = count;
    return dataset;
}

pm_status pm_dataset_append(pm_dataset *dataset, const pm_sample *sample, pm_error *err)
{
    char why[PM_FAULT_SIZE];

    if (pm_sample_fault(sample, dataset->counter_count, why))
        return pm_fail(err, PM_FAILED, "%s %s %s %s: %s", sample->program, sample->variant,
                       sample->size, sample->kernel, why);
    if (pm_dataset_find_key(dataset, sample) != PM_NO_ENTRY)
        return PM_OK;
    return pm_dataset_add(dataset, sample, NULL) ? PM_OK : no_memory(dataset->path, err);
}

pm_status pm_dataset_append_all(pm_dataset *dataset, const pm_dataset *from, pm_error *err)
{
    size_t n = dataset->counter_count;
    double *values = calloc(n ? n : 1, sizeof *values);
    pm_status status = values ? PM_OK : no_memory(dataset->path, err);

    for (size_t row = 0; status == PM_OK && row < from->rows; row++) {
        pm_sample sample = from->samples[row];

        for (size_t i = 0; i < n; i++) {
            size_t k = 0;

            while (k < from->counter_count && strcmp(from->counters[k], dataset->counters[i]) != 0)
                k++;
            values[i] = k < from->counter_count ? sample.counters[k] : (double)NAN;
        }
        sample.counters = values;
        status = pm_dataset_append(dataset, &sample, err);
    }
    free(values);
    return status;
}

pm_dataset *pm_dataset_memory_like(const pm_dataset *other, pm_error *err)
{
    return pm_dataset_memory(other->path, other->counters, other->counter_count, err);
}
