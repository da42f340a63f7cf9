/* Asks the worker process which memory pages of the buffers of its loaded workload the launches
 * read or write.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"
#include "collector/worker/trace_parts.h"

typedef struct {
    const pm_workload *workload;
    uint8_t **use;
    bool wrong; /* true: the answer has a byte that is no value of the enum pm_page_use */
} reading;

static void read_use(pm_wire *reply, void *result)
{
    reading *to = result;

    for (size_t b = 0; b < to->workload->buffer_count; b++) {
        const size_t pages = pm_use_pages(to->workload->buffers[b].bytes);

        pm_wire_raw(reply, to->use[b], pages);
        for (size_t page = 0; page < pages; page++)
            to->wrong |= to->use[b][page] > PM_PAGE_NEEDED;
    }
}

pm_status pm_executor_trace_page_use(pm_executor *executor, double seconds, uint8_t **use,
                                     pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;
    reading to = {.workload = self->workload, .use = use};
    pm_worker_call call = {.kind = PM_REQUEST_TRACE_PAGE_USE, .read = read_use, .result = &to};
    pm_wire body = PM_WIRE_WRITER;

    PM_WIRE_NUMBER(&body, self->number);
    PM_WIRE_NUMBER(&body, seconds);
    if (pm_trace_ask_loaded(self, &call, &body, err) != PM_OK)
        return err->status;
    if (to.wrong)
        return pm_fail(err, PM_FAILED, "%s: the worker process sent a wrong answer",
                       self->workload->source_path);
    return PM_OK;
}
