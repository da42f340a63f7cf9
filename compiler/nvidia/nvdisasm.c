/* Finds and runs nvdisasm. See nvdisasm.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/nvidia/nvdisasm.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/subprocess.h"
#include "compiler/nvidia/nvcc.h"

enum { OUTPUT_LIMIT = 1 << 28, MESSAGES_LIMIT = 1 << 16 };

void pm_nvdisasm_find(const char *ptxas, const pm_compiler_limits *limits, pm_nvdisasm *nvdisasm)
{
    static const char toolkit[] = "/usr/local/cuda/bin/nvdisasm";
    const char *chosen = getenv("PERFMODEL_NVDISASM"), *slash = strrchr(ptxas, '/');
    char *program = nvdisasm->program;

    *nvdisasm = (pm_nvdisasm){.limits = *limits};
    if (chosen) {
        snprintf(program, sizeof nvdisasm->program, "%s", chosen);
        return;
    }
    if (pm_nvidia_tool("nvdisasm", program))
        return;
    if (slash &&
        (size_t)snprintf(program, sizeof nvdisasm->program, "%.*s/nvdisasm", (int)(slash - ptxas),
                         ptxas) < sizeof nvdisasm->program &&
        access(program, X_OK) == 0)
        return;
    if (!pm_path_tool("nvdisasm", program))
        snprintf(program, sizeof nvdisasm->program, "%s",
                 access(toolkit, X_OK) == 0 ? toolkit : "");
}

static const char *first_line(char *messages)
{
    messages[strcspn(messages, "\n")] = '\0';
    return *messages ? messages : "it does not say why";
}

pm_status pm_nvdisasm_run(const pm_nvdisasm *nvdisasm, const pm_machine_code *code, char **text,
                          pm_error *err)
{
    const char *argv[] = {nvdisasm->program, "-g", "-c", "/dev/stdin", NULL};
    const pm_subprocess_request request = {.input = code->data,
                                           .input_bytes = code->bytes,
                                           .output_limit = OUTPUT_LIMIT,
                                           .messages_limit = MESSAGES_LIMIT,
                                           .seconds_limit = nvdisasm->limits.seconds,
                                           .memory_limit = nvdisasm->limits.memory_bytes,
                                           .cancel = nvdisasm->limits.cancel};
    pm_subprocess_result result;
    const int failure = pm_subprocess_run((char *const *)(uintptr_t)argv, &request, &result);
    pm_status status = PM_OK;

    *text = NULL;
    if (failure != 0)
        status = pm_fail(err, PM_FAILED, "%.300s: %s", nvdisasm->program, strerror(failure));
    else if (result.exit_code != 0 || result.too_slow || result.too_much)
        status = pm_fail(err, PM_FAILED, "%.300s fails: %.300s", nvdisasm->program,
                         first_line(result.messages));
    if (status == PM_OK) {
        *text = result.output;
        result.output = NULL;
    }
    pm_subprocess_free(&result);
    return status;
}
