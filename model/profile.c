/* Reads GPU profiles. See profile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "profile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collector/dataset_parts.h"
#include "collector/devices_table.h"
#include "collector/error.h"

/* Of an optional property the cell, or the whole column, may be missing. Bounds are wide: no GPU
 * since 2006 comes near them, but a wrong unit (GHz for MHz, bytes for GB/s) does. */
typedef struct {
    const char *name;
    size_t offset;
    bool optional;
    double least, most;
} property;

#define AT(member) offsetof(pm_profile, member)
static const property properties[] = {
    {"compute_units", AT(compute_units), false, 1, 4096},
    {"clock_mhz", AT(clock_mhz), false, 50, 20000},
    {"issue_per_cycle", AT(issue_per_cycle), false, 0.01, 64},
    {"fma_per_cycle", AT(fma_per_cycle), false, 0.01, 64},
    {"fmaheavy_per_cycle", AT(fmaheavy_per_cycle), true, 0.001, 64},
    {"alu_per_cycle", AT(alu_per_cycle), false, 0.01, 64},
    {"xu_per_cycle", AT(xu_per_cycle), false, 0.001, 64},
    {"lsu_per_cycle", AT(lsu_per_cycle), false, 0.01, 64},
    {"fp64_per_cycle", AT(fp64_per_cycle), true, 0.0001, 64},
    {"warp_width", AT(warp_width), true, 2, 1024},
    {"l1_wavefronts_per_cycle", AT(l1_wavefronts_per_cycle), false, 0.01, 64},
    {"dram_gb_s", AT(dram_gb_s), false, 0.1, 1e6},
    {"dram_copy_share", AT(dram_share), true, 0.05, 1},
    {"alu_latency_cycles", AT(alu_cycles), true, 1, 1000},
    {"shared_load_cycles", AT(shared_cycles), true, 1, 10000},
    {"load_l1_cycles", AT(l1_cycles), true, 1, 10000},
    {"load_l2_cycles", AT(l2_cycles), true, 1, 10000},
    {"load_dram_cycles", AT(dram_cycles), true, 1, 100000},
    {"year", AT(year), true, 2000, 2100},
};
enum { PROPERTIES = sizeof properties / sizeof *properties };
static const property l2_rate = {"l2_bytes_per_cycle", AT(l2_bytes_per_cycle), false, 1, 1e6};
/* Of a GPU without an L2. */
static const property no_l2_rate = {"l2_bytes_per_cycle", AT(l2_bytes_per_cycle), true, 1, 1e6};
/* In microseconds. */
static const property launch = {"launch_us", AT(launch_s), true, 0.01, 10000};
#undef AT

/* Where nobody measured what a copy reaches of the peak: what HBM and GDDR of all years reach,
 * within a tenth. */
static const double DRAM_SHARE = 0.85;

static pm_status absurd(const pm_device_row *row, const property *p, pm_error *err)
{
    char wanted[128];

    snprintf(wanted, sizeof wanted, "a number from %g to %g", p->least, p->most);
    return pm_device_row_fail(row, p->name, wanted, err);
}

/* *missing is the first property that is needed and empty. */
static pm_status read_property(const pm_device_row *row, const property *p, pm_profile *profile,
                               const property **missing, pm_error *err)
{
    double *value = (double *)((char *)profile + p->offset);
    const char *text;
    pm_status status;

    if (p->optional && !pm_device_row_has(row, p->name))
        return PM_OK;
    status = pm_device_row_cell(row, p->name, &text, err);
    if (status != PM_OK)
        return status;
    if (!text || !*text) {
        if (!p->optional && !*missing)
            *missing = p;
        return PM_OK;
    }
    if (!pm_number_parse(text, value) || !(*value >= p->least && *value <= p->most))
        return absurd(row, p, err);
    return PM_OK;
}

static pm_status read_architecture(const pm_device_row *row, pm_profile *profile, pm_error *err)
{
    const char *text;
    pm_status status;

    if (!pm_device_row_has(row, "architecture"))
        return PM_OK;
    status = pm_device_row_cell(row, "architecture", &text, err);
    if (status == PM_OK && text && strlen(text) >= sizeof profile->architecture)
        return pm_device_row_fail(row, "architecture", "a name of 31 characters at most", err);
    if (status == PM_OK && text)
        snprintf(profile->architecture, sizeof profile->architecture, "%s", text);
    return status;
}

/* Whether the table says that the GPU has no L2. */
static bool has_no_l2(const pm_device_row *row)
{
    const char *text = NULL;

    return pm_device_row_has(row, "l2_bytes") &&
           pm_device_row_cell(row, "l2_bytes", &text, NULL) == PM_OK && text &&
           strcmp(text, "0") == 0;
}

static pm_status read_properties(const pm_device_row *row, pm_profile *profile,
                                 const property **missing, pm_error *err)
{
    pm_status status = read_architecture(row, profile, err);
    const property *l2 = has_no_l2(row) ? &no_l2_rate : &l2_rate;

    for (size_t p = 0; status == PM_OK && p < PROPERTIES; p++)
        status = read_property(row, &properties[p], profile, missing, err);
    if (status == PM_OK)
        status = read_property(row, l2, profile, missing, err);
    if (status == PM_OK)
        status = read_property(row, &launch, profile, missing, err);
    if (status == PM_OK && profile->l2_cycles > 0 && profile->l1_cycles > profile->l2_cycles)
        return pm_device_row_fail(row, "load_l1_cycles", "no more than load_l2_cycles", err);
    if (status == PM_OK && profile->dram_cycles > 0 && profile->l2_cycles > profile->dram_cycles)
        return pm_device_row_fail(row, "load_l2_cycles", "no more than load_dram_cycles", err);
    profile->launch_s *= 1e-6;
    if (!(profile->dram_share > 0))
        profile->dram_share = DRAM_SHARE;
    return status;
}

pm_status pm_profile_find(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err)
{
    const property *missing = NULL;
    pm_device_row *row;
    pm_status status = pm_device_row_read(device, folder, &row, err);

    *profile = (pm_profile){0};
    if (status != PM_OK)
        return status;
    status = read_properties(row, profile, &missing, err);
    profile->present = status == PM_OK && pm_device_row_found(row) && !missing;
    pm_device_row_free(row);
    if (!profile->present)
        *profile = (pm_profile){0};
    return status;
}

pm_status pm_profile_need(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err)
{
    const property *missing = NULL;
    char shown[PM_SHOWN_CELL];
    pm_device_row *row;
    pm_status status = pm_device_row_read(device, folder, &row, err);

    *profile = (pm_profile){0};
    if (status != PM_OK)
        return status;
    if (!pm_device_row_found(row))
        status = pm_fail(err, PM_BAD_INPUT, "%s has no row of '%s'; add one, or name one of: %s",
                         pm_device_row_path(row), pm_shown(device, shown, sizeof shown),
                         pm_device_row_devices(row));
    if (status == PM_OK)
        status = read_properties(row, profile, &missing, err);
    if (status == PM_OK && missing)
        status = absurd(row, missing, err);
    profile->present = status == PM_OK;
    pm_device_row_free(row);
    return status;
}

double pm_profile_years_apart(const pm_profile *a, const pm_profile *b)
{
    if (*a->architecture && strcmp(a->architecture, b->architecture) == 0)
        return 0;
    return a->year > 0 && b->year > 0 ? fabs(a->year - b->year) : PM_FAR_YEARS;
}

double pm_profile_peak_flops(const pm_profile *profile)
{
    return 2 * profile->fma_per_cycle * (profile->warp_width > 0 ? profile->warp_width : 32) *
           profile->compute_units * profile->clock_mhz * 1e6;
}
