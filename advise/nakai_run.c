/* A program's plain source, traced whole, and method nakai on it. See parts.h and
 * layout/nakai/nakai.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise/parts.h"
#include "base/error.h"
#include "gpu/rules.h"
#include "layout/nakai/nakai.h"
#include "session/session.h"
#include "suite/suite.h"
#include "worker/session_worker.h"
#include "worker/source.h"

void pm_nakai_free(pm_nakai *analysis)
{
    if (!analysis)
        return;
    for (size_t s = 0; s < analysis->count; s++)
        pm_nakai_struct_free(&analysis->structs[s]);
    free(analysis->structs);
    free(analysis->target);
    free(analysis);
}

pm_status pm_plain_run_open(pm_session *session, const pm_program *program, const char *size,
                            const char *target, pm_plain_run *run, pm_error *err)
{
    const pm_counted what = {.program = program,
                             .variant = program->info.base,
                             .size = size,
                             .target = target,
                             .sample = 1};
    pm_workload *w = pm_program_build(program, what.variant, size, pm_session_chosen(session)->seed,
                                      session, err);

    *run = (pm_plain_run){.workload = w};
    if (!w)
        return err->status;
    run->source = pm_source_open(w->source, w->source_path, w->build_options,
                                 pm_session_worker(session), pm_session_log(session), err);
    if (!run->source)
        return err->status;
    if (pm_source_describe(run->source)->structs.count == 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: no kernel takes an array of structs in global or constant memory; "
                       "there is no layout to choose",
                       w->source_path);
    return pm_counts_find(session, &what, w, &run->counts, err);
}

void pm_plain_run_close(pm_plain_run *run)
{
    pm_source_close(run->source);
    pm_workload_free(run->workload);
}

static pm_status analyse(pm_nakai *analysis, const pm_session *session, const pm_plain_run *run,
                         const char *target, pm_error *err)
{
    const pm_source_info *source = pm_source_describe(run->source);
    const pm_trace *trace = &run->counts->trace;
    pm_status status;
    pm_gpu gpu;

    analysis->target = strdup(target);
    analysis->structs = calloc(source->structs.count, sizeof *analysis->structs);
    if (!analysis->target || !analysis->structs)
        return pm_fail(err, PM_FAILED, "out of memory for the analysis");
    status = pm_gpu_find(target, pm_session_chosen(session)->datasets, &gpu, err);
    if (status != PM_OK)
        return status;
    analysis->warp_width = gpu.warp_width;
    analysis->sampled = 1;
    for (size_t s = 0; status == PM_OK && s < source->structs.count; s++) {
        status = pm_nakai_decide(source, s, trace->kernels, trace->kernel_count,
                                 analysis->warp_width, &analysis->structs[analysis->count], err);
        analysis->count += status == PM_OK;
    }
    return status;
}

pm_nakai *pm_plain_run_nakai(const pm_session *session, const pm_plain_run *run, const char *target,
                             pm_error *err)
{
    pm_nakai *analysis = calloc(1, sizeof *analysis);

    if (!analysis)
        pm_fail(err, PM_FAILED, "out of memory for the analysis");
    else if (analyse(analysis, session, run, target, err) == PM_OK)
        return analysis;
    pm_nakai_free(analysis);
    return NULL;
}
