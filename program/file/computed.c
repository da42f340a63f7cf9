/* Runs two kinds of workloads of a workload file on the CPU, because perfmodel needs their results.
 * Launches with contents = yes compute initial contents of buffers. References that start with the
 * results of a version compute the expected results. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * They run in the trace engine, on the CPU, so that their results are the same for every device.
 * The launches with contents = yes form a separate workload. Its source is that of section
 * [contents], and it has all buffers of the file with the contents that their keys describe. After
 * the run, the buffers that its launches use are copied to the workload that is built.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "collector/worker/executor_trace.h"
#include "program/file/from_file.h"

/* Largest number of basic blocks that a warp may execute when contents or references are computed.
 * It is ten times the engine's default, because one work-item may compute a large buffer alone. */
static const double STEP_LIMIT = 1e8;

/* Replaces the advice in the engine's error message about a warp that executes too many basic
 * blocks, because the option that it names has no effect here. */
static void advise_on_limit(pm_error *err)
{
    char *advice = err ? strstr(err->text, "; a longer one needs") : NULL;

    if (advice && pm_executor_trace_is_too_long(err))
        snprintf(advice, sizeof err->text - (size_t)(advice - err->text),
                 "; if it ends later, give its work to several work-items");
}

pm_status pm_file_run(const pm_from_file *from, const pm_workload *workload, void *const *to,
                      pm_error *err)
{
    const pm_trace_engine_options options = {
        .target = PM_TRACE_TARGET, .step_limit = STEP_LIMIT, .seed = 1, .worker = from->worker};
    pm_executor *engine = NULL;
    pm_status status = pm_executor_trace_open(&options, NULL, NULL, &engine, err);

    if (status == PM_OK)
        status = engine->type->load(engine, workload, err);
    if (status == PM_OK)
        status = engine->type->run(engine, NULL, err);
    if (status != PM_OK)
        advise_on_limit(err);
    for (size_t i = 0; status == PM_OK && i < workload->buffer_count; i++)
        if (to[i])
            status = engine->type->read(engine, i, to[i], err);
    if (engine) {
        engine->type->unload(engine);
        engine->type->close(engine);
    }
    return status;
}

static bool leads_to(const pm_pointers *pointers, size_t buffer)
{
    for (size_t i = 0; i < pointers->count; i++)
        if (pointers->items[i].buffer == buffer)
            return true;
    return false;
}

/* Returns whether a launch of the workload gets the buffer as an argument or by a pointer in
 * memory. */
static bool takes(const pm_workload *workload, size_t buffer)
{
    for (size_t l = 0; l < workload->launch_count; l++)
        for (size_t a = 0; a < workload->launches[l].arg_count; a++) {
            const pm_arg *arg = &workload->launches[l].args[a];

            if ((arg->kind == PM_ARG_BUFFER && arg->buffer == buffer) ||
                leads_to(&arg->pointers, buffer))
                return true;
        }
    for (size_t b = 0; b < workload->buffer_count; b++)
        if (leads_to(&workload->buffers[b].pointers, buffer))
            return true;
    return false;
}

/* Returns memory with the buffer's initial contents, which the caller may change. Allocates it if
 * the buffer has none. NULL: out of memory. */
static void *contents_of(pm_workload *workload, size_t buffer)
{
    pm_buffer *own = &workload->buffers[buffer];

    if (own->initial)
        return pm_workload_settle(workload, buffer, &workload->error) == PM_OK ? own->initial
                                                                               : NULL;
    own->initial = pm_workload_contents(workload, own->bytes);
    if (own->initial && own->flags & PM_BUFFER_POISON)
        memset(own->initial, 0xff, own->bytes);
    own->flags &= ~(unsigned)PM_BUFFER_POISON;
    return own->initial;
}

void pm_file_compute_contents(const pm_file_build *b, pm_workload *contents)
{
    const size_t common = b->workload->buffer_count;
    void **to;

    if (b->dry)
        return;
    to = pm_take(b->memory, contents->buffer_count, sizeof *to);
    for (size_t i = 0; i < contents->buffer_count; i++) {
        pm_workload *owner = i < common ? b->workload : contents;

        if (!takes(contents, i))
            continue;
        to[i] = contents_of(owner, i);
        if (!to[i])
            pm_leave(b->memory, PM_FAILED, "%s", owner->error.text);
    }
    pm_require(b->memory, pm_file_run(b->from, contents, to, b->memory->err));
    for (size_t i = 0; i < contents->buffer_count; i++)
        if (to[i])
            pm_pointers_clear(&contents->buffers[i].pointers, to[i]);
}
