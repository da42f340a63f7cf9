/* What a CPU's OpenCL driver has made of a workload's loops. See trace_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "base/error.h"
#include "compiler/language.h"
#include "worker/trace_parts.h"

static pm_status send_binary(trace_executor *self, const char *binary, size_t bytes, pm_error *err)
{
    pm_worker_call call = {.kind = PM_REQUEST_TRACE_LANES};
    pm_wire body = PM_WIRE_WRITER;

    PM_WIRE_NUMBER(&body, self->number);
    pm_wire_bytes(&body, binary, &bytes);
    return pm_trace_ask_loaded(self, &call, &body, err);
}

pm_status pm_trace_tell_lanes(trace_executor *self, pm_error *err)
{
    const pm_compiler_limits *limits = pm_compiler_limits_of(pm_worker_compiler(self->worker));
    char *binary = NULL;
    size_t bytes = 0;
    pm_error why = {0};
    pm_status status;

    if (pm_language_of(self->workload->source_path) == PM_LANGUAGE_CUDA)
        return PM_OK;
    status = pm_device_compiler_build(self->options.builder, self->workload, &binary, &bytes, &why);
    if (status == PM_OK)
        status = send_binary(self, binary, bytes, &why);
    free(binary);
    if (status != PM_OK && pm_cancelled(&limits->cancel))
        return pm_fail(err, status, "%s", why.text);
    if (status != PM_OK)
        pm_notice(&self->base.log, "which loops are vectors' is told by rules: %s", why.text);
    return PM_OK;
}
