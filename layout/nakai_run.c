/* Method nakai on a workload: reads its source, traces it whole, and analyses its structs. See
 * nakai.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "collector/trace/executor_trace.h"
#include "collector/trace/gpu.h"
#include "nakai.h"

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

/* ---- the trace ------------------------------------------------------------------------------ */

typedef struct {
    pm_trace_kernel *kernels;
    size_t kernel_count;
} tables;

static pm_status count_accesses(pm_executor *executor, const pm_counter_table *table,
                                const pm_workload *workload, tables *out, pm_error *err)
{
    size_t values_count = workload->launch_count * pm_counter_table_size(table);
    double *values = calloc(values_count + 1, sizeof *values);
    pm_status status;

    if (!values)
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    status = executor->type->load(executor, workload, err);
    if (status == PM_OK)
        status = executor->type->count(executor, values, NULL, err);
    if (status == PM_OK)
        status = pm_executor_trace_accesses(executor, &out->kernels, &out->kernel_count, err);
    executor->type->unload(executor);
    free(values);
    return status;
}

static pm_status trace(const pm_workload *workload, const char *target,
                       const pm_nakai_options *options, tables *out, pm_error *err)
{
    const pm_trace_engine_options engine = {.target = target,
                                            .datasets = options->datasets,
                                            .sample = options->sample > 0 ? options->sample : 1,
                                            .step_limit = options->step_limit,
                                            .seed = options->seed};
    pm_counter_table *table = pm_counter_table_read(NULL, err);
    pm_executor *executor = NULL;
    pm_status status = table ? PM_OK : err->status;

    if (status == PM_OK)
        status = pm_executor_trace_open(&engine, table, &options->log, &executor, err);
    if (status == PM_OK)
        status = count_accesses(executor, table, workload, out, err);
    if (executor)
        executor->type->close(executor);
    pm_counter_table_free(table);
    return status;
}

/* ---- the structs ---------------------------------------------------------------------------- */

static pm_status unknown_struct(const pm_source_info *source, const char *path, const char *name,
                                pm_error *err)
{
    char list[512] = "";
    size_t used = 0;

    for (size_t s = 0; s < source->structs.count && used < sizeof list; s++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", s ? ", " : "",
                                 source->structs.items[s].name);
    return pm_fail(err, PM_BAD_INPUT, "%s: no kernel takes an array of a struct '%s'; there %s %s",
                   path, name, source->structs.count == 1 ? "is" : "are", list);
}

/* first and last + 1 of the structs that are wanted. */
static pm_status choose(const pm_source_info *source, const char *path, const char *name,
                        size_t *first, size_t *end, pm_error *err)
{
    *first = 0;
    *end = source->structs.count;
    if (*end == 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: no kernel takes an array of structs in global or constant memory; "
                       "there is no layout to choose",
                       path);
    if (!name)
        return PM_OK;
    while (*first < *end && strcmp(source->structs.items[*first].name, name) != 0)
        ++*first;
    if (*first == *end)
        return unknown_struct(source, path, name, err);
    *end = *first + 1;
    return PM_OK;
}

static pm_status analyse_structs(pm_nakai *analysis, const pm_source_info *source,
                                 const tables *traced, size_t first, size_t end, pm_error *err)
{
    analysis->sampled = 1;
    for (size_t k = 0; k < traced->kernel_count; k++)
        if (traced->kernels[k].sampled < analysis->sampled)
            analysis->sampled = traced->kernels[k].sampled;
    analysis->structs = calloc(end - first, sizeof *analysis->structs);
    if (!analysis->structs)
        return pm_fail(err, PM_FAILED, "out of memory for the analysis");
    for (size_t s = first; s < end; s++) {
        if (pm_nakai_decide(source, s, traced->kernels, traced->kernel_count, analysis->warp_width,
                            &analysis->structs[analysis->count], err) != PM_OK)
            return err->status;
        analysis->count++;
    }
    return PM_OK;
}

static pm_status analyse(pm_nakai *analysis, const pm_source_info *source,
                         const pm_workload *workload, const char *structure,
                         const pm_nakai_options *options, pm_error *err)
{
    const char *target = options->target ? options->target : PM_TRACE_TARGET;
    tables traced = {0};
    size_t first, end;
    pm_gpu gpu;
    pm_status status = choose(source, workload->source_path, structure, &first, &end, err);

    if (status == PM_OK)
        status = pm_gpu_find(target, options->datasets, &gpu, err);
    if (status == PM_OK)
        status = trace(workload, target, options, &traced, err);
    if (status == PM_OK) {
        analysis->warp_width = gpu.warp_width;
        analysis->target = strdup(target);
        status = analysis->target ? analyse_structs(analysis, source, &traced, first, end, err)
                                  : pm_fail(err, PM_FAILED, "out of memory for the analysis");
    }
    pm_trace_kernels_free(traced.kernels, traced.kernel_count);
    return status;
}

pm_nakai *pm_nakai_analyse(const pm_workload *workload, const char *structure,
                           const pm_nakai_options *options, pm_error *err)
{
    static const pm_nakai_options defaults = {0};
    pm_error ignored;
    pm_error *why = err ? err : &ignored;
    const pm_nakai_options *chosen = options ? options : &defaults;
    pm_source *source = pm_source_open(workload->source, workload->source_path,
                                       workload->build_options, &chosen->log, why);
    pm_nakai *analysis = source ? calloc(1, sizeof *analysis) : NULL;
    pm_status status = PM_FAILED;

    if (analysis)
        status = analyse(analysis, pm_source_describe(source), workload, structure, chosen, why);
    else if (source)
        pm_fail(why, PM_FAILED, "out of memory for the analysis");
    pm_source_close(source);
    if (status == PM_OK)
        return analysis;
    pm_nakai_free(analysis);
    return NULL;
}
