/* The compiler of the CPU that is counted for. See builder.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "counts/builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/opencl/opencl.h"
#include "counts/counts.h"
#include "gpu/own_row.h"
#include "session/session.h"

static const char KIND[] = "OpenCL compiler";

static void release(void *object)
{
    pm_device_compiler_close(object);
}

/* Whether a dataset brought the row: of which CPU, *cpu, which must be freed. */
static bool is_own(const char *target, const char *folder, char **cpu)
{
    pm_device_row *row = NULL;
    const char *name = NULL;

    *cpu = NULL;
    if (pm_device_row_read(target, folder, &row, NULL) == PM_OK && pm_device_row_is_own(row) &&
        pm_device_row_is_cpu(row) && pm_device_row_has(row, "name") &&
        pm_device_row_cell(row, "name", &name, NULL) == PM_OK)
        *cpu = strdup(name);
    pm_device_row_free(row);
    return *cpu != NULL;
}

/* The target as a device of this machine. Devices are looked for only where the target has a row
 * that was made on a machine: drivers take long to start. */
static bool is_here(pm_session *session, const char *target, pm_device *device)
{
    const bool measured = pm_session_find(session, PM_COUNTS_RULES, target) != NULL;
    char *cpu = NULL;
    bool here = measured || is_own(target, pm_session_chosen(session)->datasets, &cpu);

    here = here && pm_device_select(target, device, NULL) == PM_OK && device->is_cpu &&
           strcmp(device->id, target) == 0 && (measured || strcmp(cpu, device->name) == 0);
    free(cpu);
    return here;
}

pm_device_compiler *pm_counts_builder(pm_session *session, const char *target)
{
    pm_device_compiler *builder = pm_session_find(session, KIND, target);
    pm_device device;
    pm_error why = {0};

    if (builder || !is_here(session, target, &device))
        return builder;
    if (pm_device_compiler_open(&device, pm_session_log(session), &builder, &why) != PM_OK ||
        pm_session_keep(session, KIND, target, builder, release, &why) != PM_OK) {
        pm_notice(pm_session_log(session), "%s is not asked what it makes of loops: %s",
                  device.name, why.text);
        return NULL;
    }
    return builder;
}
