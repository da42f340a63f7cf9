/* Finds the GPU on which a program was profiled. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/import/parts.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "machine/devices_table.h"
#include "machine/names.h"

/* Sets `id` to the id of the GPU with this name in devices.csv. Raises an error if there is none.
 * of_file: true if the name is from a profiler's file, false if it is from the option --target; the
 * error message depends on it. */
static void find_id(pm_importing *in, const char *name, bool of_file, char id[64])
{
    const char *folder = pm_session_chosen(in->session)->datasets;
    char *found = NULL, shown[PM_SHOWN_CELL];

    pm_require(&in->memory, pm_gpu_id_of(name, folder, &found, in->memory.err));
    if (!found && of_file)
        pm_import_fault(
            in,
            "%s: devices.csv has no row for its GPU '%s'; name a GPU that has one with "
            "--target (perfmodel devices lists them), or add its row (perfmodel devices "
            "--probe)",
            in->path, pm_shown(name, shown, sizeof shown));
    if (!found)
        pm_import_fault(in,
                        "--target %s: devices.csv has no such GPU; perfmodel devices lists them",
                        pm_shown(name, shown, sizeof shown));
    snprintf(id, 64, "%s", found);
    free(found);
}

/* Reads a number in a cell of a CSV file; 0: the cell is empty. */
static double number_in(const char *cell)
{
    double number = 0;

    return cell && pm_number_parse(cell, &number) ? number : 0;
}

/* Reads the row of the GPU in->id in devices.csv into in->gpu. Returns its compute capability; 0:
 * it is not NVIDIA's. */
static double read_row(pm_importing *in)
{
    static const char *const columns[] = {"name", "compute_units", "clock_mhz",
                                          "compute_capability"};
    const char *cells[4] = {NULL};
    pm_device *device = &in->gpu;
    pm_device_row *row = NULL;
    double capability = 0;
    pm_status status = pm_session_device_row(in->session, in->id, &row, in->memory.err);

    for (size_t i = 0; status == PM_OK && i < 4; i++)
        status = pm_device_row_cell(row, columns[i], &cells[i], in->memory.err);
    if (status == PM_OK) {
        capability = number_in(cells[3]);
        *device = (pm_device){.is_nvidia = capability > 0,
                              .compute_units = (unsigned)number_in(cells[1]),
                              .clock_mhz = (unsigned)number_in(cells[2])};
        snprintf(device->id, sizeof device->id, "%s", in->id);
        snprintf(device->name, sizeof device->name, "%s", cells[0] ? cells[0] : in->id);
    }
    pm_device_row_free(row);
    pm_require(&in->memory, status);
    return capability;
}

/* Raises an error if the GPU in->id cannot be the one that was profiled: it is of another maker, or
 * has another compute capability than the files say. */
static void check_device(pm_importing *in)
{
    const pm_import_form *form = in->counted ? in->counted : in->timed;
    const double capability = read_row(in);

    if (form->amd == (capability > 0))
        pm_import_fault(in,
                        "%s: %s profiles GPUs of %s, and %s is not one; name another GPU with "
                        "--target",
                        in->path, form->tool, form->amd ? "AMD" : "NVIDIA", in->id);
    if (in->capability > 0 && capability != in->capability)
        pm_import_fault(in,
                        "%s: its GPU has compute capability %g, and %s has %g; name the GPU that "
                        "was profiled with --target",
                        in->path, in->capability, in->id, capability);
    in->capability = capability;
}

void pm_import_find_device(pm_importing *in)
{
    const char *target = in->options->target;
    char named[64];

    if (!target && !in->device)
        pm_import_fault(in,
                        "%s: the file does not say on which GPU it was profiled; name the GPU, "
                        "such as --target h100",
                        in->path);
    if (target)
        find_id(in, target, false, in->id);
    else
        find_id(in, in->device, true, in->id);
    if (target && in->device) {
        char *other = NULL, shown[PM_SHOWN_CELL];

        pm_require(&in->memory, pm_gpu_id_of(in->device, pm_session_chosen(in->session)->datasets,
                                             &other, in->memory.err));
        snprintf(named, sizeof named, "%s", other ? other : in->id);
        free(other);
        if (strcmp(named, in->id) != 0)
            pm_import_fault(in, "%s: it was profiled on '%s', not on %s; leave --target out",
                            in->path, pm_shown(in->device, shown, sizeof shown), in->id);
    }
    check_device(in);
    snprintf(in->result->device, sizeof in->result->device, "%s", in->id);
}
