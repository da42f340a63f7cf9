/* Gets the properties of the CPU on which programs are measured, in the form of a row of
 * devices.csv (table of devices). They are read from the dataset's JSON file, or measured now. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/collect/parts.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "machine/own_row.h"
#include "machine/rules.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"

/* Returns true if the trace engine has to simulate the CPU on which the workload is timed. It has
 * to if the device is a CPU, no other target is given, and the trace engine counts. */
static bool counts_here(const pm_collect_options *options, const pm_device *device)
{
    const char *mode = options->counters ? options->counters : "auto";

    return device->is_cpu && !options->target &&
           (strcmp(mode, "auto") == 0 || strcmp(mode, "trace") == 0);
}

/* Stores the CPU's properties from its row of devices.csv in the session. All later traces of the
 * session then simulate this CPU. */
static pm_status keep_rules(pm_session *session, const pm_device *device, const pm_device_row *row,
                            pm_error *err)
{
    pm_gpu *gpu = malloc(sizeof *gpu);
    pm_status status;

    if (!gpu)
        return pm_fail(err, PM_FAILED, "out of memory for the row of %s", device->id);
    status = pm_gpu_of_row(row, device->id, gpu, err);
    if (status == PM_OK)
        return pm_session_keep(session, PM_COUNTS_RULES, device->id, gpu, free, err);
    free(gpu);
    return status;
}

static pm_status check_same(const pm_device_row *row, const pm_device *device, pm_error *err)
{
    char there[PM_SHOWN_CELL], here[PM_SHOWN_CELL], shown[PM_SHOWN_PATH];
    const char *name = NULL;

    if (!pm_device_row_has(row, "name") || pm_device_row_cell(row, "name", &name, NULL) != PM_OK ||
        strcmp(name, device->name) == 0)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT,
                   "%s:1: the dataset is of the CPU '%s', and this one is '%s'; collect into "
                   "another file with -o",
                   pm_shown(row->path, shown, sizeof shown), pm_shown(name, there, sizeof there),
                   pm_shown(device->name, here, sizeof here));
}

static pm_status make_row(pm_session *session, const pm_device *device, const char *json,
                          pm_probe_row **probed, pm_error *err)
{
    const pm_probe_options options = {.device = device->id};
    pm_device_row *row;
    pm_error why = {0};
    pm_status status;

    *probed = pm_probe_run(session, &options, &why);
    if (!*probed) {
        if (pm_session_go_on(session, err) != PM_OK)
            return PM_FAILED;
        pm_notice(pm_session_log(session), "no row of this CPU was made: %s", why.text);
        return PM_OK;
    }
    row = pm_own_row_of_probe(*probed, json, err);
    status = row ? keep_rules(session, device, row, err) : PM_FAILED;
    pm_device_row_free(row);
    return status;
}

pm_status pm_cpu_row_have(pm_session *session, const pm_collect_options *options,
                          const pm_device *device, const char *path, pm_probe_row **probed,
                          pm_error *err)
{
    char json[PATH_MAX];
    pm_device_row *row = NULL;
    pm_status status;

    *probed = NULL;
    if (!counts_here(options, device))
        return PM_OK;
    status = pm_provenance_path(path, json, err);
    if (status == PM_OK)
        status = pm_own_row_read(device->id, json, pm_session_chosen(session)->datasets, &row, err);
    if (status != PM_OK)
        return status;
    if (strcmp(row->path, json) == 0) {
        status = check_same(row, device, err);
        if (status == PM_OK)
            status = keep_rules(session, device, row, err);
    } else if (access(path, F_OK) != 0) {
        status = make_row(session, device, json, probed, err);
        /* else: the dataset exists without a row of the CPU, so devices.csv had the CPU's row when
         * the dataset was written */
    }
    pm_device_row_free(row);
    return status;
}
