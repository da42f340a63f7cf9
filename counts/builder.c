/* The OpenCL device that builds what is counted for it. See builder.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "counts/builder.h"

#include <string.h>

#include "base/error.h"
#include "collector/opencl/opencl.h"
#include "counts/counts.h"
#include "gpu/own_row.h"
#include "session/session.h"

static const char KIND[] = "builder of OpenCL programs";

static void release(void *object)
{
    pm_executor *executor = object;

    executor->type->close(executor);
}

/* Whether the row was made on a machine with a device of that name, and not by hand. */
static bool is_row_of(const char *target, const char *folder, const char *name)
{
    pm_device_row *row = NULL;
    const char *of = NULL;
    const bool same = pm_device_row_read(target, folder, &row, NULL) == PM_OK &&
                      pm_device_row_is_own(row) && pm_device_row_is_cpu(row) &&
                      pm_device_row_has(row, "name") &&
                      pm_device_row_cell(row, "name", &of, NULL) == PM_OK && strcmp(of, name) == 0;

    pm_device_row_free(row);
    return same;
}

/* The target as a device of this machine. */
static bool is_here(pm_session *session, const char *target, pm_device *device)
{
    if (pm_device_select(target, device, NULL) != PM_OK || !device->is_cpu ||
        strcmp(device->id, target) != 0)
        return false;
    return pm_session_find(session, PM_COUNTS_RULES, target) ||
           is_row_of(target, pm_session_chosen(session)->datasets, device->name);
}

pm_executor *pm_counts_builder(pm_session *session, const char *target)
{
    pm_executor *builder = pm_session_find(session, KIND, target);
    pm_device device;
    pm_error why = {0};

    if (builder || !is_here(session, target, &device))
        return builder;
    if (pm_executor_opencl_open(&device, pm_session_log(session), &builder, &why) != PM_OK ||
        pm_session_keep(session, KIND, target, builder, release, &why) != PM_OK) {
        pm_notice(pm_session_log(session), "%s is not asked what it makes of loops: %s",
                  device.name, why.text);
        return NULL;
    }
    return builder;
}
