/* Asks the worker process how far into each buffer the launches of its loaded workload access (the
 * highest offset).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "collector/worker/trace_parts.h"

typedef struct {
    pm_buffer_reach *reach;
    size_t buffers;
    double work;
} reading;

static void read_reach(pm_wire *reply, void *result)
{
    reading *to = result;

    pm_wire_raw(reply, to->reach, to->buffers * sizeof *to->reach);
    PM_WIRE_NUMBER(reply, to->work);
}

bool pm_executor_trace_is_too_long(const pm_error *err)
{
    return err->status == PM_BAD_INPUT &&
           (strstr(err->text, PM_SAYS_ENDLESS) || strstr(err->text, PM_SAYS_TOO_LONG));
}

pm_status pm_executor_trace_reach(pm_executor *executor, pm_buffer_reach *reach, double *work,
                                  pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;
    reading to = {.reach = reach, .buffers = self->workload->buffer_count};
    pm_worker_call call = {.kind = PM_REQUEST_TRACE_REACH, .read = read_reach, .result = &to};
    pm_wire body = PM_WIRE_WRITER;

    PM_WIRE_NUMBER(&body, self->number);
    if (pm_trace_ask_loaded(self, &call, &body, err) != PM_OK)
        return err->status;
    *work = to.work;
    return PM_OK;
}
