/* Runs the launches with contents = yes of a workload file, which compute contents of buffers. See
 * from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * They run in the trace engine, on the CPU, so that contents are the same for every device. They
 * are a workload of their own: its source is that of [contents], and it has all buffers of the
 * file, filled by their contents keys. The buffers that a launch takes are copied back.
 */
#include "base/error.h"
#include "suite/file/from_file.h"
#include "worker/executor_trace.h"

/* Basic blocks that a work-item may execute: minutes of work. One work-item may compute a large
 * buffer alone, which takes far more blocks than warps of other kernels. */
static const double STEP_LIMIT = 1e11;

static void mark_arguments(const pm_workload *contents, bool *taken)
{
    for (size_t l = 0; l < contents->launch_count; l++)
        for (size_t a = 0; a < contents->launches[l].arg_count; a++)
            if (contents->launches[l].args[a].kind == PM_ARG_BUFFER)
                taken[contents->launches[l].args[a].buffer] = true;
}

/* Copies a buffer from the engine into the initial contents of a workload's buffer. */
static pm_status copy_back(pm_executor *engine, size_t buffer, pm_workload *to, pm_error *err)
{
    pm_buffer *own = &to->buffers[buffer];

    if (!own->initial) {
        own->initial = pm_workload_contents(to, own->bytes);
        own->flags &= ~(unsigned)PM_BUFFER_POISON;
    }
    if (!own->initial)
        return pm_fail(err, PM_FAILED, "%s", to->error.text);
    return engine->type->read(engine, buffer, own->initial, err);
}

/* Runs `contents`. The first buffers go to `to`, which has fewer, the others stay in `contents`. */
static pm_status run(const pm_file_build *b, pm_workload *contents, const bool *taken,
                     pm_workload *to, pm_error *err)
{
    const pm_trace_engine_options options = {.target = PM_TRACE_TARGET,
                                             .step_limit = STEP_LIMIT,
                                             .seed = b->seed,
                                             .worker = b->from->worker};
    pm_executor *engine = NULL;
    pm_status status = pm_executor_trace_open(&options, NULL, NULL, &engine, err);

    if (status == PM_OK)
        status = engine->type->load(engine, contents, err);
    if (status == PM_OK)
        status = engine->type->run(engine, NULL, err);
    for (size_t i = 0; status == PM_OK && i < contents->buffer_count; i++)
        if (taken[i])
            status = copy_back(engine, i, i < to->buffer_count ? to : contents, err);
    if (engine) {
        engine->type->unload(engine);
        engine->type->close(engine);
    }
    return status;
}

void pm_file_compute_contents(const pm_file_build *b, pm_workload *contents)
{
    bool *taken;
    pm_status status;

    if (b->dry)
        return;
    taken = pm_take(b->memory, contents->buffer_count, sizeof *taken);
    mark_arguments(contents, taken);
    status = run(b, contents, taken, b->workload, b->memory->err);
    if (status != PM_OK)
        pm_give_up(b->memory, status);
}
