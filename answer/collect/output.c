/* Finds the dataset to which measured rows are appended. Its rows must have been counted by the
 * same tool (source of counters) as the new ones. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "answer/collect/parts.h"
#include "base/error.h"
#include "base/shard.h"
#include "model/samples/dataset.h"

pm_status pm_collect_path(const pm_collect_options *options, const pm_device *device, bool timed,
                          char path[PATH_MAX], pm_error *err)
{
    const char *set = options->suite;
    bool own =
        set && !options->workloads && (strcmp(set, "corpus") == 0 || strcmp(set, "cuda") == 0);
    char name[sizeof device->id + 16];

    if (options->output)
        return pm_shard_path(&options->shard, options->output, ".csv", ".csv", path, PATH_MAX, err);
    snprintf(name, sizeof name, "%s%s%s%s", device->id, own ? "-" : "", own ? set : "",
             timed ? "" : "-trace");
    return pm_user_dataset_path(name, path, PATH_MAX, err);
}

pm_status pm_collect_check_source(const pm_counting *counting, const char *path, pm_error *err)
{
    bool traced = counting->target[0] != '\0';
    pm_dataset *there = pm_dataset_read(path, NULL, NULL);
    pm_status status = PM_OK;

    /* A dataset that cannot be read or is empty is accepted here. The error is reported when the
     * dataset is opened for writing. */
    for (size_t i = 0; there && status == PM_OK && i < pm_dataset_rows(there); i++) {
        const pm_sample *row = pm_dataset_sample(there, i);

        if ((strcmp(row->counter_source, "trace") == 0) != traced)
            status = pm_fail(err, PM_BAD_INPUT,
                             "%s:%zu: its counters are of source '%.32s', not '%s'; collect into "
                             "another file with -o, or with other --counters",
                             path, row->line, row->counter_source, counting->source);
    }
    pm_dataset_free(there);
    return status;
}
