/* Cells that can neither be asked for nor measured: from the row of devices.csv of a GPU of the
 * same architecture, the one that agrees in most of what the driver says. See probe.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "probe.h"

/* What tells chips of an architecture apart. */
static const char *const telling[] = {
    "warp_width",   "max_warps",          "max_groups",           "registers",
    "shared_bytes", "shared_group_bytes", "shared_reserved_bytes"};

/* What chips of an architecture have in common: the rules of counting. */
static const char *const common[] = {"warp_width",
                                     "coalescing",
                                     "l1_global",
                                     "l1_unified",
                                     "l1_bytes",
                                     "l1_line",
                                     "l1_sector",
                                     "l1_ways",
                                     "shared_bytes",
                                     "shared_group_bytes",
                                     "shared_reserved_bytes",
                                     "shared_unit_bytes",
                                     "shared_banks",
                                     "shared_bank_bytes",
                                     "shared_carveouts_kb",
                                     "shared_spare_kb",
                                     "l2_line",
                                     "l2_sector",
                                     "l2_ways",
                                     "l2_far",
                                     "max_warps",
                                     "max_groups",
                                     "registers",
                                     "register_scope",
                                     "register_unit",
                                     "warp_unit",
                                     "max_registers",
                                     "readonly_bytes",
                                     "global_access"};

/* "" for a cell that is empty, or a column that an older table lacks. */
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

/* 0: another architecture. The device's own row is the last to be taken: a probe is to find out
 * by itself. */
static unsigned agreement(const pm_probe *probe, const pm_device_row *row, const char *name)
{
    unsigned same = 2;

    if (strcmp(cell_of(row, "architecture"), own(probe, "architecture")) != 0)
        return 0;
    if (strcmp(name, probe->row->device.id) == 0)
        return 1;
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
        same += strcmp(cell_of(row, telling[i]), own(probe, telling[i])) == 0;
    return same;
}

/* The row to take cells from; *best is NULL if there is none. *name is among names. */
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

static pm_status take_common(pm_probe *probe, const pm_device_row *row, const char *name,
                             pm_error *err)
{
    pm_status status = PM_OK;
    char how[96];

    snprintf(how, sizeof how, "as %.64s's", name);
    for (size_t i = 0; status == PM_OK && i < sizeof common / sizeof *common; i++)
        status = pm_probe_text(probe, common[i], PM_PROBE_LIKE, cell_of(row, common[i]), how, err);
    return status;
}

/* Where L1 and local memory share an array, the cell is the size of both, and what was measured is
 * the part that the driver left to L1. */
static pm_status set_l1(pm_probe *probe, const pm_device_row *row, const char *name, pm_error *err)
{
    double theirs = 0;
    char how[160];

    if (!(probe->l1_bytes > 0))
        return PM_OK;
    if (row && strcmp(cell_of(row, "l1_unified"), "yes") == 0 &&
        pm_number_parse(cell_of(row, "l1_bytes"), &theirs) && theirs >= probe->l1_bytes) {
        snprintf(how, sizeof how, "as %.64s's, with local memory; %.0f bytes of it were L1", name,
                 probe->l1_bytes);
        return pm_probe_number(probe, "l1_bytes", PM_PROBE_LIKE, theirs, how, err);
    }
    return pm_probe_number(probe, "l1_bytes", PM_PROBE_MEASURED, probe->l1_bytes,
                           "largest buffer that is followed as fast as small ones", err);
}

/* Schedulers may start more than any two kinds of instructions together could show. */
static pm_status set_issue(pm_probe *probe, const pm_device_row *row, const char *name,
                           pm_error *err)
{
    const pm_probe_value *issue = &probe->issue;
    double theirs = 0;
    char how[160];

    if (row && pm_number_parse(cell_of(row, "issue_per_cycle"), &theirs) &&
        theirs >= 0.95 * issue->median) {
        snprintf(how, sizeof how, "as %.64s's; the most that was measured is %.3g", name,
                 issue->median);
        return pm_probe_number(probe, "issue_per_cycle", PM_PROBE_LIKE, theirs, how, err);
    }
    if (!(issue->median > 0))
        return PM_OK;
    return pm_probe_measured(probe, "issue_per_cycle", *issue,
                             "the most of arithmetic that a cycle started; it may be more", err);
}

pm_status pm_probe_like(pm_probe *probe, const char *datasets, pm_error *err)
{
    pm_strings names = {0};
    pm_device_row *row = NULL;
    const char *name = "";
    pm_status status = PM_OK;

    if (*own(probe, "architecture")) {
        status = pm_device_names(datasets, &names, err);
        if (status == PM_OK)
            status = find_like(probe, datasets, &names, &row, &name, err);
    }
    if (status == PM_OK)
        status = set_l1(probe, row, name, err);
    if (status == PM_OK && row)
        status = take_common(probe, row, name, err);
    if (status == PM_OK)
        status = set_issue(probe, row, name, err);
    pm_device_row_free(row);
    pm_strings_clear(&names);
    return status;
}
