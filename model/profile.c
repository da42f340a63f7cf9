/* Reads GPU profiles. See profile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "profile.h"

#include "collector/dataset_parts.h"
#include "collector/devices_table.h"

static const struct {
    const char *name;
    size_t offset;
    bool optional;
} properties[] = {
    {"compute_units", offsetof(pm_profile, compute_units), false},
    {"clock_mhz", offsetof(pm_profile, clock_mhz), false},
    {"issue_per_cycle", offsetof(pm_profile, issue_per_cycle), false},
    {"fma_per_cycle", offsetof(pm_profile, fma_per_cycle), false},
    {"fmaheavy_per_cycle", offsetof(pm_profile, fmaheavy_per_cycle), false},
    {"alu_per_cycle", offsetof(pm_profile, alu_per_cycle), false},
    {"xu_per_cycle", offsetof(pm_profile, xu_per_cycle), false},
    {"lsu_per_cycle", offsetof(pm_profile, lsu_per_cycle), false},
    {"l1_wavefronts_per_cycle", offsetof(pm_profile, l1_wavefronts_per_cycle), false},
    {"l2_bytes_per_cycle", offsetof(pm_profile, l2_bytes_per_cycle), false},
    {"dram_gb_s", offsetof(pm_profile, dram_gb_s), false},
    {"load_l1_cycles", offsetof(pm_profile, load_l1_cycles), true},
    {"load_l2_cycles", offsetof(pm_profile, load_l2_cycles), true},
};
enum { PROPERTIES = sizeof properties / sizeof *properties };

/* An empty cell that the model needs leaves the profile out; a wrong one is told. */
static pm_status read_properties(const pm_device_row *row, pm_profile *profile, pm_error *err)
{
    bool known = pm_device_row_found(row);

    for (size_t p = 0; p < PROPERTIES; p++) {
        const char *text;
        double *value = (double *)((char *)profile + properties[p].offset);
        pm_status status;

        if (properties[p].optional && !pm_device_row_has(row, properties[p].name))
            continue;
        status = pm_device_row_cell(row, properties[p].name, &text, err);
        if (status != PM_OK)
            return status;
        if (!text || !*text)
            known = known && properties[p].optional;
        else if (!pm_number_parse(text, value) || !(*value > 0))
            return pm_device_row_fail(row, properties[p].name, "a number above 0", err);
    }
    profile->present = known;
    return PM_OK;
}

pm_status pm_profile_find(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err)
{
    pm_device_row *row;
    pm_status status = pm_device_row_read(device, folder, &row, err);

    *profile = (pm_profile){0};
    if (status != PM_OK)
        return status;
    status = read_properties(row, profile, err);
    pm_device_row_free(row);
    if (!profile->present)
        *profile = (pm_profile){0};
    return status;
}
