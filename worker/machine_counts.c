/* What a CPU at hand executes of a workload. See trace_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compiler/language.h"
#include "worker/trace_parts.h"

/* The kernels' work, in the order of their first launches. */
typedef struct {
    pm_machine_work *kernels;
    size_t count;
} answer;

static void read_answer(pm_wire *reply, void *result)
{
    const answer *a = result;

    pm_wire_raw(reply, a->kernels, a->count * sizeof *a->kernels);
}

static bool is_first(const pm_workload *workload, size_t launch)
{
    for (size_t i = 0; i < launch; i++)
        if (strcmp(workload->launches[i].kernel, workload->launches[launch].kernel) == 0)
            return false;
    return true;
}

static pm_status ask_worker(trace_executor *self, answer *a, pm_error *err)
{
    pm_worker_call call = {.kind = PM_REQUEST_TRACE_MACHINE, .read = read_answer, .result = a};
    pm_wire body = PM_WIRE_WRITER;
    char device[sizeof self->base.device.id];
    char *source = (char *)(uintptr_t)self->workload->source;
    char *options = (char *)(uintptr_t)self->workload->build_options;

    snprintf(device, sizeof device, "%s", self->options.target);
    PM_WIRE_NUMBER(&body, self->number);
    pm_wire_chars(&body, device, sizeof device);
    pm_wire_name(&body, &source);
    pm_wire_text(&body, &options);
    return pm_trace_ask_loaded(self, &call, &body, err);
}

pm_status pm_trace_count_machine(trace_executor *self, pm_machine_work **each, pm_error *err)
{
    const pm_compiler_limits *limits = pm_compiler_limits_of(pm_worker_compiler(self->worker));
    const pm_workload *workload = self->workload;
    answer a = {.kernels = calloc(workload->launch_count + 1, sizeof *a.kernels)};
    pm_machine_work *of_launch = calloc(workload->launch_count + 1, sizeof *of_launch);
    pm_error why = {0};
    pm_status status = PM_OK;

    *each = NULL;
    if (!a.kernels || !of_launch)
        status = pm_fail(&why, PM_FAILED, "%s: out of memory", workload->program);
    for (size_t i = 0; status == PM_OK && i < workload->launch_count; i++)
        a.count += is_first(workload, i);
    if (status == PM_OK && self->options.builder &&
        pm_language_of(workload->source_path) != PM_LANGUAGE_CUDA) {
        status = ask_worker(self, &a, &why);
        *each = status == PM_OK ? of_launch : NULL;
    }
    for (size_t i = 0, k = 0; *each && i < workload->launch_count; i++)
        if (is_first(workload, i))
            of_launch[i] = a.kernels[k++];
    if (!*each)
        free(of_launch);
    free(a.kernels);
    if (status == PM_OK)
        return PM_OK;
    if (pm_cancelled(&limits->cancel))
        return pm_fail(err, status, "%s", why.text);
    pm_notice(&self->base.log, "its machine code is not counted: %s", why.text);
    return PM_OK;
}
