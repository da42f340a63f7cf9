/* Loads a workload file that was made from the captured launches of a program into the trace
 * engine. See loaded.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/loaded.h"

#include "base/session/session.h"

pm_status pm_captured_load(pm_session *session, const char *path, pm_captured_loaded *loaded,
                           pm_error *err)
{
    const pm_trace_engine_options options = {.target = PM_TRACE_TARGET,
                                             .datasets = pm_session_chosen(session)->datasets,
                                             .threads = 1,
                                             .worker = pm_session_worker(session)};
    pm_program *program = pm_program_read(path, pm_session_worker(session), err);
    pm_status status;

    *loaded = (pm_captured_loaded){.program = program};
    if (program)
        loaded->workload = pm_program_build(program, program->info.variants[0],
                                            program->info.sizes[0], 1, session, err);
    if (!loaded->workload)
        return PM_FAILED;
    status = pm_executor_trace_open(&options, NULL, NULL, &loaded->engine, err);
    if (status == PM_OK)
        status = loaded->engine->type->load(loaded->engine, loaded->workload, err);
    return status;
}

void pm_captured_unload(pm_captured_loaded *loaded)
{
    if (loaded->engine)
        loaded->engine->type->close(loaded->engine);
    pm_workload_free(loaded->workload);
    pm_program_read_free(loaded->program);
}
