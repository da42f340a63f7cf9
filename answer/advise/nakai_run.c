/* Traces all work-groups of the unmodified program (the base variant), and applies the method of
 * Nakai and Ohno to the traced memory accesses. It chooses data layouts by how each access is
 * coalesced. See parts.h and transform/layout/nakai/nakai.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/advise/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "collector/worker/source.h"
#include "machine/rules.h"
#include "program/suite/suite.h"
#include "transform/layout/nakai/nakai.h"

pm_status pm_plain_run_open(pm_session *session, const pm_program *program, const char *size,
                            const char *target, pm_plain_run *run, pm_error *err)
{
    const pm_counted what = {.program = program,
                             .variant = program->info.base,
                             .size = size,
                             .target = target,
                             .sample = 1,
                             .as_written = true};
    pm_workload *w = pm_program_build(program, what.variant, size, pm_session_chosen(session)->seed,
                                      session, err);

    *run = (pm_plain_run){.workload = w};
    if (!w)
        return err->status;
    if (pm_workload_instances(w, true, pm_session_worker(session), pm_session_log(session), err) !=
        PM_OK)
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

pm_nakai *pm_plain_run_nakai(pm_memory *memory, const pm_session *session, const pm_plain_run *run,
                             const char *target)
{
    const pm_source_info *source = pm_source_describe(run->source);
    const pm_trace *trace = &run->counts->trace;
    pm_nakai *analysis = pm_take(memory, 1, sizeof *analysis);
    pm_gpu gpu;

    pm_require(memory,
               pm_gpu_find(target, pm_session_chosen(session)->datasets, &gpu, memory->err));
    *analysis =
        (pm_nakai){.target = pm_copy(memory, target),
                   .warp_width = gpu.warp_width,
                   .terms = trace->terms,
                   .sampled = 1,
                   .structs = pm_take(memory, source->structs.count, sizeof *analysis->structs)};
    for (; analysis->count < source->structs.count; analysis->count++) {
        pm_nakai_struct *own = &analysis->structs[analysis->count];

        pm_require(memory, pm_nakai_decide(source, analysis->count, trace->kernels,
                                           trace->kernel_count, gpu.warp_width, own, memory->err));
        pm_memory_join(memory, &own->memory);
    }
    return analysis;
}
