/* Completes the row of devices.csv of a measured device: takes the values that could not be found
 * out from the row of a similar GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of these cells can neither be queried nor measured. The similar GPU is the GPU of the
 * same architecture whose row agrees in most values with the values that the driver reports.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "collector/probe/probe.h"
#include "machine/columns.h"

/* Returns the text of a cell in devices.csv; "" if the cell is empty, or if an older file lacks the
 * column. */
static const char *cell_of(const pm_device_row *row, const char *column)
{
    const char *text = NULL;

    if (pm_device_row_has(row, column) && pm_device_row_cell(row, column, &text, NULL) == PM_OK &&
        text)
        return text;
    return "";
}

static const char *own(const pm_probe *probe, const char *column)
{
    return pm_probe_cell_find(probe->row, column)->value;
}

/* Returns how similar the GPU of a row of devices.csv is to the probed device; a larger number is
 * more similar. 0: a GPU of another architecture. 1: a row of the probed GPU itself, because the
 * results of a probe should not depend on it; or a CPU of another architecture. Otherwise the
 * result is 2 plus the number of values in which the row agrees with the values that the driver
 * reports. name: id of the row's device. */
static unsigned agreement(const pm_probe *probe, const pm_device_row *row, const char *name)
{
    const bool cpu = probe->row->device.is_cpu;
    unsigned same = 2;

    if (cpu != (strcmp(cell_of(row, "coalescing"), "items") == 0))
        return 0;
    if (strcmp(cell_of(row, "architecture"), own(probe, "architecture")) != 0)
        return cpu ? 1 : 0;
    if (!cpu && strcmp(name, probe->row->device.id) == 0)
        return 1;
    for (size_t c = 0; c < pm_gpu_column_count; c++)
        if (pm_gpu_columns[c].use & PM_COLUMN_TELLING)
            same += strcmp(cell_of(row, pm_gpu_columns[c].name),
                           own(probe, pm_gpu_columns[c].name)) == 0;
    return same;
}

/* Finds the row of devices.csv from which to copy cells. *best becomes the row of the most similar
 * device, or NULL if there is none. *name becomes its name, one of `names`. */
static pm_status find_like(const pm_probe *probe, const char *datasets, const pm_strings *names,
                           pm_device_row **best, const char **name, pm_error *err)
{
    unsigned most = 0;
    pm_status status = PM_OK;

    *best = NULL;
    for (size_t i = 0; status == PM_OK && i < names->count; i++) {
        pm_device_row *row;
        unsigned same;

        status = pm_device_row_read(names->items[i], datasets, &row, err);
        if (status != PM_OK)
            break;
        same = agreement(probe, row, names->items[i]);
        if (same > most) {
            pm_device_row_free(*best);
            *best = row;
            *name = names->items[i];
            most = same;
        } else {
            pm_device_row_free(row);
        }
    }
    if (status != PM_OK) {
        pm_device_row_free(*best);
        *best = NULL;
    }
    return status;
}

/* Returns whether the value of a column of devices.csv may be copied from a similar device's row.
 * For a CPU this includes the columns fp64_per_cycle and shared_load_cycles: they contain means
 * over compiled kernels, which the probe cannot measure. */
static bool is_common(const pm_probe *probe, const pm_gpu_column *column)
{
    static const char *const rates[] = {"fp64_per_cycle", "shared_load_cycles"};

    if (!probe->row->device.is_cpu)
        return column->use & PM_COLUMN_CHIPS;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        if (strcmp(column->name, rates[i]) == 0)
            return true;
    return column->use & (PM_COLUMN_CHIPS | PM_COLUMN_RULES | PM_COLUMN_PROFILE);
}

static void take_common(pm_probe *probe)
{
    char how[96];

    snprintf(how, sizeof how, "as %.64s's", probe->like_name);
    for (size_t c = 0; c < pm_gpu_column_count; c++) {
        const char *column = pm_gpu_columns[c].name;

        if (is_common(probe, &pm_gpu_columns[c]))
            pm_probe_text(probe, column, PM_PROBE_LIKE, cell_of(probe->like, column), how);
    }
}

/* Fills the size of L1 in the probed device's row of devices.csv. If L1 and local memory share one
 * array, this must be the size of the array, but the measured size is only the part that the driver
 * assigned to L1. */
static void set_l1(pm_probe *probe)
{
    const pm_device_row *row = probe->like;
    double theirs = 0;
    char how[160];

    if (!(probe->l1_bytes > 0))
        return;
    if (row && strcmp(cell_of(row, "l1_unified"), "yes") == 0 &&
        pm_number_parse(cell_of(row, "l1_bytes"), &theirs) && theirs >= probe->l1_bytes) {
        snprintf(how, sizeof how, "as %.64s's, with local memory; %.0f bytes of it were L1",
                 probe->like_name, probe->l1_bytes);
        pm_probe_number(probe, "l1_bytes", PM_PROBE_LIKE, theirs, how);
    } else {
        pm_probe_number(probe, "l1_bytes", PM_PROBE_MEASURED, probe->l1_bytes,
                        "largest buffer that is followed as fast as small ones");
    }
}

/* Fills the issue rate in the probed device's row of devices.csv, in instructions per cycle. A
 * similar device's rate is used if it is not lower than the measured rate. The reason is that the
 * schedulers may issue more instructions per cycle than any measured mixture of two kinds of
 * instructions. */
static void set_issue(pm_probe *probe)
{
    const pm_device_row *row = probe->like;
    const pm_probe_value *issue = &probe->issue;
    double theirs = 0;
    char how[160];

    if (row && pm_number_parse(cell_of(row, "issue_per_cycle"), &theirs) &&
        theirs >= 0.95 * issue->median) {
        snprintf(how, sizeof how, "as %.64s's; the most that was measured is %.3g",
                 probe->like_name, issue->median);
        pm_probe_number(probe, "issue_per_cycle", PM_PROBE_LIKE, theirs, how);
    } else if (issue->median > 0) {
        pm_probe_measured(probe, "issue_per_cycle", *issue,
                          "the most of arithmetic that a cycle started; it may be more");
    }
}

static void fill(pm_probe *probe)
{
    set_l1(probe);
    if (probe->like)
        take_common(probe);
    set_issue(probe);
}

pm_status pm_probe_like(pm_probe *probe, const char *datasets, pm_error *err)
{
    pm_strings names = {0};
    pm_device_row *row = NULL;
    pm_status status = PM_OK;

    if (*own(probe, "architecture") || probe->row->device.is_cpu) {
        status = pm_device_names(datasets, &names, err);
        if (status == PM_OK)
            status = find_like(probe, datasets, &names, &row, &probe->like_name, err);
    }
    probe->like = row;
    if (status == PM_OK)
        status = pm_probe_try(probe, fill, err);
    probe->like = NULL;
    pm_device_row_free(row);
    pm_strings_clear(&names);
    return status;
}
