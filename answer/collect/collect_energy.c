/* Measures the energy of a workload's kernels in addition to their times, if the user gave
 * --energy. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "answer/collect/parts.h"
#include "base/error.h"
#include "base/session/session.h"

#define ENERGY "energy_j"

pm_status pm_metering_open(pm_metering *m, pm_session *session, const pm_device *device,
                           const pm_count_columns *columns, pm_error *err)
{
    pm_error why = {0};

    *m = (pm_metering){.session = session};
    while (m->column < columns->count && strcmp(columns->names[m->column], ENERGY) != 0)
        m->column++;
    if (m->column == columns->count)
        return pm_fail(err, PM_BAD_INPUT,
                       "--energy: counters.ini has no [" ENERGY "]; take it over from the shipped "
                       "one");
    if (!device)
        return pm_fail(err, PM_BAD_INPUT,
                       "--energy: --device none runs nothing; choose a device, or leave it out");
    if (pm_energy_open(device, &m->meter, &why) != PM_OK)
        pm_notice(pm_session_log(session), "%s; " ENERGY " stays empty", why.text);
    return PM_OK;
}

void pm_metering_close(pm_metering *m)
{
    pm_energy_close(m->meter);
    *m = (pm_metering){0};
}

static void tell_once(pm_metering *m, const pm_workload *workload)
{
    if (!m->told)
        pm_notice(pm_session_log(m->session),
                  "%s %s: " ENERGY
                  " stays empty, here and where it is the same: a pass has several "
                  "kernels, or needs buffers set back, so that launches cannot be repeated alone",
                  workload->program, workload->variant);
    m->told = true;
}

pm_status pm_metering_workload(pm_metering *m, pm_executor *executor, const pm_workload *workload,
                               const pm_timing *timing, double *cells, pm_error *err)
{
    const pm_cancel cancel = pm_session_cancel(m->session);
    pm_error why = {0};
    double joules = 0;

    if (!m->meter)
        return PM_OK;
    if (!pm_energy_fits(workload)) {
        tell_once(m, workload);
        return PM_OK;
    }
    if (pm_energy_measure(m->meter, executor, workload, timing->kernels[0].time_s, &cancel, &joules,
                          &why) == PM_OK)
        cells[m->column] = joules;
    else if (pm_cancelled(&cancel))
        return pm_fail(err, why.status, "%s", why.text);
    else
        pm_notice(pm_session_log(m->session), "%s %s %s: %s; " ENERGY " stays empty",
                  workload->program, workload->variant, workload->size, why.text);
    return PM_OK;
}
