/* Measures the energy that a workload's kernel launches use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The driver updates the energy meter about ten times per second. Energy and passes are therefore
 * measured from one update to another. Launches are started in batches that are short compared with
 * the time between updates, because an update may come anywhere within a batch.
 */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "collector/energy/energy.h"

static const double BATCH_S = 0.01, LEAST_S = 1, LONGEST_S = 10;
/* maximum number of launches that wait in the driver's queue */
static const double MOST_LAUNCHES = 1000;

bool pm_energy_fits(const pm_workload *workload)
{
    for (size_t i = 0; i < workload->buffer_count; i++)
        if (workload->buffers[i].flags & PM_BUFFER_RESTORE)
            return false;
    for (size_t i = 1; i < workload->launch_count; i++)
        if (strcmp(workload->launches[i].kernel, workload->launches[0].kernel) != 0)
            return false;
    return true;
}

typedef struct {
    const pm_energy *meter;
    pm_executor *executor;
    /* number of passes over the launches that are queued together, before the energy meter is
     * read */
    size_t batch;
    const pm_cancel *cancel;
    double joules; /* energy meter's last reading, in joules */
    /* number of passes over the launches since the meter's reading changed the last time */
    double passes;
} run;

/* Runs batches of launches until the reading of the energy meter changes. The run goes on after
 * changes before the time from_s (seconds of pm_now_s). */
static pm_status run_to_step(run *r, double from_s, pm_error *err)
{
    const double start = pm_now_s();
    double before = r->joules;

    for (;;) {
        pm_status status = r->executor->type->repeat(r->executor, r->batch, err);
        double joules = 0;

        if (status == PM_OK)
            status = pm_energy_read(r->meter, &joules, err);
        if (status != PM_OK)
            return status;
        r->passes += (double)r->batch;
        if (joules != before && pm_now_s() >= from_s) {
            r->joules = joules;
            return PM_OK;
        }
        before = joules;
        if (pm_cancelled(r->cancel))
            return pm_fail(err, PM_FAILED, "stopped");
        if (pm_now_s() - start > LONGEST_S)
            return pm_fail(err, PM_FAILED, "no energy: the meter stood still for %.0f s",
                           LONGEST_S);
    }
}

pm_status pm_energy_measure(const pm_energy *meter, pm_executor *executor,
                            const pm_workload *workload, double pass_s, const pm_cancel *cancel,
                            double *joules, pm_error *err)
{
    const double most = fmax(1, MOST_LAUNCHES / (double)workload->launch_count);
    run r = {.meter = meter,
             .executor = executor,
             .batch = (size_t)fmax(1, fmin(most, BATCH_S / pass_s)),
             .cancel = cancel};
    double first = 0;
    pm_status status = executor->type->run(executor, NULL, err);

    if (status == PM_OK)
        status = pm_energy_read(meter, &r.joules, err);
    if (status == PM_OK)
        status = run_to_step(&r, 0, err);
    if (status == PM_OK) {
        first = r.joules;
        r.passes = 0;
        status = run_to_step(&r, pm_now_s() + LEAST_S, err);
    }
    if (status == PM_OK && r.joules < first)
        status = pm_fail(err, PM_FAILED, "no energy: the meter went back; the driver was reset");
    if (status == PM_OK)
        *joules = (r.joules - first) / r.passes;
    return status;
}
