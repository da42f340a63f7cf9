/* Sends requests to the worker process about the workload that its trace engine has loaded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/error.h"
#include "collector/worker/trace_parts.h"

pm_status pm_trace_name_origin(const pm_workload *workload, pm_status status, pm_error *err)
{
    const pm_error what = err ? *err : (pm_error){0};

    if (status != PM_BAD_INPUT || !workload->origin ||
        strncmp(what.text, workload->origin, strlen(workload->origin)) == 0)
        return status;
    return pm_fail(err, status, "%s: %s", workload->origin, what.text);
}

pm_status pm_trace_ask(trace_executor *self, pm_worker_call *call, pm_wire *body, pm_error *err)
{
    pm_status status;

    call->body = body;
    call->subject = self->workload->source_path;
    status = pm_process_call(self->process, call, &self->generation, err);
    pm_wire_free(body);
    return pm_trace_name_origin(self->workload, status, err);
}

pm_status pm_trace_ask_loaded(trace_executor *self, pm_worker_call *call, pm_wire *body,
                              pm_error *err)
{
    if (self->generation != 0)
        return pm_trace_ask(self, call, body, err);
    pm_wire_free(body);
    return pm_fail(err, PM_FAILED,
                   "%s: the worker process that had it loaded is no more; load it again",
                   self->workload->source_path);
}
