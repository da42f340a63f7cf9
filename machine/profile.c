/* Reads the profiles of GPUs (properties that the prediction of run times needs) from devices.csv.
 * See profile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/profile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "machine/columns.h"
#include "machine/names.h"
#include "machine/own_row.h"

/* Fills a profile from a row of devices.csv. need: a missing device or an empty required cell is an
 * error; else profile->present is then false. A column that the table does not have is always an
 * error. */
static pm_status fill(const pm_device_row *cells, const char *device, bool need,
                      pm_profile *profile, pm_error *err)
{
    pm_gpu_row row;
    pm_status status = PM_OK;

    if (cells->line > 0) {
        status = pm_gpu_row_read(cells, &row, err);
        if (status == PM_OK && !row.no_profile) {
            *profile = row.profile;
            profile->replays = row.rules.global_access == PM_GLOBAL_REPLAYS ||
                               row.rules.global_access == PM_GLOBAL_REISSUES;
            profile->compute_capability = row.rules.compute_capability;
            profile->present = true;
        } else if (status == PM_OK && (need || !pm_device_row_has(cells, row.no_profile->name))) {
            status = pm_gpu_column_wrong(cells, row.no_profile, err);
        }
    } else if (need) {
        status = pm_gpu_unknown(cells, device, err);
    }
    return status;
}

static pm_status find(const char *device, const char *folder, bool need, pm_profile *profile,
                      pm_error *err)
{
    pm_device_row *cells;
    pm_status status = pm_device_row_read(device, folder, &cells, err);

    *profile = (pm_profile){0};
    if (status == PM_OK)
        status = fill(cells, device, need, profile, err);
    pm_device_row_free(cells);
    return status;
}

pm_status pm_profile_of_dataset(const char *device, const char *json_path, const char *folder,
                                pm_profile *profile, pm_error *err)
{
    pm_device_row *cells;
    pm_status status = pm_own_row_read(device, json_path, folder, &cells, err);

    *profile = (pm_profile){0};
    if (status == PM_OK)
        status = fill(cells, device, false, profile, err);
    profile->of_dataset = status == PM_OK && strcmp(cells->path, json_path) == 0;
    pm_device_row_free(cells);
    return status;
}

pm_status pm_profile_find(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err)
{
    return find(device, folder, false, profile, err);
}

pm_status pm_profile_need(const char *device, const char *folder, pm_profile *profile,
                          pm_error *err)
{
    return find(device, folder, true, profile, err);
}

pm_status pm_session_profile(pm_session *session, const char *device, pm_profile *profile,
                             pm_error *err)
{
    pm_device_row *cells;
    pm_status status = pm_session_device_row(session, device, &cells, err);

    *profile = (pm_profile){0};
    if (status == PM_OK)
        status = fill(cells, device, false, profile, err);
    pm_device_row_free(cells);
    return status;
}

void pm_profile_wire(pm_wire *wire, pm_profile *p)
{
    double *const numbers[] = {&p->year,
                               &p->compute_capability,
                               &p->compute_units,
                               &p->clock_mhz,
                               &p->issue_per_cycle,
                               &p->fma_per_cycle,
                               &p->alu_per_cycle,
                               &p->fmaheavy_per_cycle,
                               &p->xu_per_cycle,
                               &p->lsu_per_cycle,
                               &p->fp64_per_cycle,
                               &p->tensor_f16_per_cycle,
                               &p->tensor_tf32_per_cycle,
                               &p->tensor_f64_per_cycle,
                               &p->tensor_int8_per_cycle,
                               &p->tensor_fp8_per_cycle,
                               &p->warp_width,
                               &p->l3_gb_s,
                               &p->l2_bytes_per_cycle,
                               &p->l1_wavefronts_per_cycle,
                               &p->dram_gb_s,
                               &p->dram_share,
                               &p->dram_rows_s,
                               &p->alu_cycles,
                               &p->shared_cycles,
                               &p->l1_cycles,
                               &p->l2_cycles,
                               &p->l3_cycles,
                               &p->dram_cycles,
                               &p->tdp_w,
                               &p->launch_s};

    pm_wire_flag(wire, &p->present);
    pm_wire_flag(wire, &p->loops);
    pm_wire_flag(wire, &p->of_dataset);
    pm_wire_flag(wire, &p->replays);
    PM_WIRE_NUMBER(wire, p->pipes);
    pm_wire_chars(wire, p->architecture, sizeof p->architecture);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        PM_WIRE_NUMBER(wire, *numbers[i]);
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

/* ---- GPUs with a complete profile ------------------------------------------------------------ */

void pm_profiles_free(char **names)
{
    for (size_t i = 0; names && names[i]; i++)
        free(names[i]);
    free(names);
}

pm_status pm_profiles(pm_session *session, char ***names, size_t *count, pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    pm_strings rows = {0};
    pm_status status = pm_device_names(folder, &rows, err);
    char **list = calloc(rows.count + 1, sizeof *list);
    size_t n = 0;

    if (status == PM_OK && !list)
        status = pm_fail(err, PM_FAILED, "not enough memory to list the profiles; free some");
    for (size_t i = 0; status == PM_OK && i < rows.count; i++) {
        pm_profile profile;

        status = pm_session_profile(session, rows.items[i], &profile, err);
        if (status != PM_OK || !profile.present)
            continue;
        list[n] = strdup(rows.items[i]);
        if (!list[n++])
            status = pm_fail(err, PM_FAILED, "not enough memory to list the profiles; free some");
    }
    pm_strings_clear(&rows);
    if (status != PM_OK) {
        pm_profiles_free(list);
        return status;
    }
    *names = list;
    *count = n;
    return PM_OK;
}
