/* Finds a GPU in devices.csv and reads the properties by which the trace engine simulates it. See
 * rules.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "machine/columns.h"
#include "machine/devices_table.h"
#include "machine/names.h"
#include "machine/rules.h"

pm_status pm_gpu_of_row(const pm_device_row *cells, const char *device, pm_gpu *gpu, pm_error *err)
{
    char shown[PM_SHOWN_CELL];
    pm_gpu_row row;
    pm_status status;

    *gpu = (pm_gpu){0};
    pm_shown(device, shown, sizeof shown);
    if (cells->line == 0)
        return pm_gpu_unknown(cells, device, err);
    if (strlen(device) >= sizeof gpu->device)
        return pm_fail(err, PM_BAD_INPUT, "%s: the name '%s' is longer than %zu bytes; shorten it",
                       cells->path, shown, sizeof gpu->device - 1);
    status = pm_gpu_row_read(cells, &row, err);
    if (status == PM_OK && row.no_rule)
        status = pm_gpu_column_wrong(cells, row.no_rule, err);
    if (status == PM_OK) {
        *gpu = row.rules;
        memcpy(gpu->device, device, strlen(device) + 1);
    }
    return status;
}

pm_status pm_gpu_find(const char *device, const char *folder, pm_gpu *gpu, pm_error *err)
{
    pm_device_row *cells;
    pm_status status = pm_device_row_read(device, folder, &cells, err);

    *gpu = (pm_gpu){0};
    if (status == PM_OK)
        status = pm_gpu_of_row(cells, device, gpu, err);
    pm_device_row_free(cells);
    return status;
}

pm_status pm_target_limits_read(pm_session *session, const char *id, pm_target_limits *limits,
                                pm_error *err)
{
    pm_device_row *cells;
    pm_gpu gpu;
    pm_status status = pm_session_device_row(session, id, &cells, err);

    *limits = (pm_target_limits){0};
    if (status == PM_OK)
        status = pm_gpu_of_row(cells, id, &gpu, err);
    if (status == PM_OK)
        *limits = (pm_target_limits){.compute_capability = pm_gpu_capability(&gpu),
                                     .warp_width = gpu.warp_width,
                                     .shared_group_bytes = gpu.shared_group_bytes};
    pm_device_row_free(cells);
    return status;
}
