/* Whether a version of a program leaves the results that the program does. See counts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In the trace engine, because a version may be wrong: there no kernel reaches this process, and
 * one that leaves its buffers or does not end is told with the line it is at.
 */
#include "base/error.h"
#include "counts/counts.h"
#include "session/session.h"

static pm_status run(pm_executor *engine, const pm_workload *workload, pm_error *err)
{
    pm_status status = engine->type->load(engine, workload, err);

    if (status == PM_OK)
        status = engine->type->run(engine, NULL, err);
    if (status == PM_OK)
        status = pm_measure_check(engine, workload, err);
    engine->type->unload(engine);
    return status;
}

pm_verdict pm_verify(pm_session *session, const char *target, pm_workload *workload, pm_error *err)
{
    pm_executor *engine = pm_counts_engine(session, target, err);

    if (!engine || pm_measure_reference(engine, workload, err) != PM_OK)
        return PM_UNVERIFIED;
    if (run(engine, workload, err) == PM_OK)
        return PM_RIGHT;
    return pm_session_is_cancelled(session) ? PM_UNVERIFIED : PM_WRONG;
}
