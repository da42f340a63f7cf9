/* The probe: finds out the properties of a device of this machine by queries and measurements, and
 * makes a row of devices.csv from them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This file has the order of queries and measurements, and describes where each of the row's
 * numbers comes from.
 */
#include "collector/probe/probe.h"

#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/text.h"
#include "base/version.h"
#include "collector/opencl/opencl.h"

enum { MOST_GROUP = 512 };

enum { GPUS = 1, CPUS = 2 };

/* Queries and measurements in the order of execution. The values from drivers and the clock come
 * first, because later measurements need them. A CPU's rates of arithmetic and local memory are not
 * measured here, because its row in devices.csv has mean rates over compiled kernels. */
static const struct {
    const char *name;
    pm_probe_kind fill;
    unsigned of;
    bool needed;
} kinds[] = {{"drivers", pm_probe_driver, GPUS | CPUS, true},
             {"cores and caches", pm_probe_cpu, CPUS, true},
             {"launches", pm_probe_launches, GPUS, false},
             {"launch", pm_probe_cpu_launch, CPUS, false},
             {"clock of a core", pm_probe_core_clock, CPUS, false},
             {"clock", pm_probe_clock, GPUS | CPUS, true},
             {"arithmetic", pm_probe_arithmetic, GPUS, false},
             {"local memory", pm_probe_local, GPUS, false},
             {"caches", pm_probe_caches, GPUS | CPUS, false},
             {"latencies", pm_probe_latency, GPUS | CPUS, false},
             {"bandwidths", pm_probe_bandwidth, GPUS | CPUS, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- origins of numbers
 * ------------------------------------------------------------------------ */

/* Appends to a text the names of the columns whose values have the given origin (driver,
 * measurement or similar device), separated by commas. before, after: text in front of the names
 * and behind them. Appends nothing if there is no such column. */
static void put_columns(pm_text *to, const pm_probe_row *row, pm_probe_origin origin,
                        const char *before, const char *after)
{
    bool first = true;

    for (size_t c = 0; c < row->count; c++) {
        const pm_probe_cell *cell = &row->cells[c];

        if (cell->origin != origin || strcmp(cell->name, "sources") == 0)
            continue;
        pm_text_add(to, "%s%s", first ? before : ", ", cell->name);
        if (origin == PM_PROBE_LIKE)
            pm_text_add(to, " %s", cell->how);
        first = false;
    }
    if (!first)
        pm_text_add(to, "%s", after);
}

static void put_sources(pm_text *to, const pm_probe *probe)
{
    const pm_probe_row *row = probe->row;
    const pm_probe_cell *peak = pm_probe_cell_find(probe->row, "dram_gb_s");
    const bool cpu = row->device.is_cpu;

    pm_text_add(to, "Measured by perfmodel devices --probe (perfmodel %s, OpenCL driver %s",
                PM_VERSION, row->device.driver);
    if (probe->facts.cuda_version > 0)
        pm_text_add(to, ", CUDA driver %d.%d", probe->facts.cuda_version / 1000,
                    probe->facts.cuda_version % 1000 / 10);
    pm_text_add(to, "), %s of %d runs, while the clock was %.0f MHz by a chain of %s",
                cpu ? "the fastest" : "medians", PM_PROBE_PASSES, probe->clock_mhz,
                cpu ? "additions" : "multiply-adds");
    put_columns(to, row, PM_PROBE_MEASURED, ": ", ".");
    if (peak->origin == PM_PROBE_MEASURED)
        pm_text_add(to, " dram_gb_s is %s.", peak->how);
    put_columns(to, row, PM_PROBE_ASKED,
                cpu ? " The driver and Linux say: " : " The driver says: ", ".");
    put_columns(to, row, PM_PROBE_LIKE, " ", ".");
}

static void set_sources(pm_probe *probe)
{
    pm_text text = {.memory = &probe->bench.memory};

    put_sources(&text, probe);
    pm_probe_text(probe, "sources", PM_PROBE_ASKED, pm_text_get(&text), "this program");
}

/* ---- the run of a probe ---------------------------------------------------------------------- */

static pm_status fill_all(pm_probe *probe, const pm_session *session, pm_error *err)
{
    for (size_t k = 0; k < KINDS; k++) {
        pm_error why = {0};

        if (pm_session_go_on(session, err) != PM_OK)
            return PM_FAILED;
        pm_session_show(session, k, KINDS, kinds[k].name);
        if (!(kinds[k].of & (probe->row->device.is_cpu ? CPUS : GPUS)))
            continue;
        if (pm_probe_try(probe, kinds[k].fill, &why) == PM_OK)
            continue;
        if (kinds[k].needed)
            return pm_fail(err, why.status, "%s", why.text);
        pm_notice(&probe->log, "%s", why.text);
    }
    return pm_probe_like(probe, pm_session_chosen(session)->datasets, err);
}

/* Returns the work-group size for measurements: the largest power of two that the device allows, at
 * most MOST_GROUP, which leaves enough registers per work-item. */
static size_t full_group(const pm_device *device)
{
    size_t group = 1;

    while (group * 2 <= device->max_work_group && group * 2 <= MOST_GROUP)
        group *= 2;
    return group;
}

static pm_status run(pm_probe *probe, const pm_session *session, const char *output, pm_error *err)
{
    const pm_device *device = &probe->row->device;
    pm_status status = pm_executor_opencl_open(device, &probe->log, &probe->bench.executor, err);

    if (status != PM_OK)
        return status;
    probe->bench.device = device;
    probe->bench.group = full_group(device);
    status = fill_all(probe, session, err);
    probe->bench.executor->type->close(probe->bench.executor);
    if (status == PM_OK)
        status = pm_probe_try(probe, set_sources, err);
    if (status == PM_OK && output)
        status = pm_probe_output_write(output, probe->row, &probe->log, err);
    return status;
}

pm_probe_row *pm_probe_run(pm_session *session, const pm_probe_options *options, pm_error *err)
{
    pm_probe probe = {.log = *pm_session_log(session)};
    pm_device device;

    if (PM_UNUSED(options, err) != PM_OK ||
        pm_device_select(options->device, &device, err) != PM_OK)
        return NULL;
    if (options->output && pm_probe_output_check(options->output, device.id, err) != PM_OK)
        return NULL;
    probe.row = pm_probe_row_create(&device);
    if (!probe.row) {
        pm_fail(err, PM_FAILED, "out of memory for the row of the probe");
        return NULL;
    }
    if (run(&probe, session, options->output, err) != PM_OK) {
        pm_probe_free(probe.row);
        return NULL;
    }
    return probe.row;
}
