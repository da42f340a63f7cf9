/* The module's face. See backend.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/backend.h"

#include "collector/error.h"

static pm_status build(const pm_backend_request *request, pm_trace_program **out, pm_error *err)
{
    (void)request;
    *out = NULL;
    return pm_fail(err, PM_FAILED, "not yet");
}

static void free_program(pm_trace_program *program)
{
    (void)program;
}

__attribute__((visibility("default"))) const pm_backend pm_trace_backend = {
    .version = PM_BACKEND_VERSION, .build = build, .free = free_program};
