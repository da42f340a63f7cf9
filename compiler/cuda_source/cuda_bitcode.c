/* Compiles the kernels of a CUDA source to bitcode. See cuda_bitcode.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_source/cuda_bitcode.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compiler/cuda_source/code_text.h"
#include "compiler/cuda_source/cuda_cut.h"
#include "compiler/cuda_source/cuda_explain.h"

enum { MOST_CUTS = 12 };

/* Name of the function that this_grid().sync() calls (compiler/cuda/cooperative_groups.h). If this
 * name occurs in the bitcode, a kernel synchronizes the whole grid. */
static const char grid_barrier[] = "grid_group_sync";

/* Compiles the source repeatedly, each time without the declaration that caused the last error. If
 * a compilation succeeds, no kernel needed the removed declarations. Otherwise err keeps the first
 * error. */
static pm_status compile_without(pm_compiler *compiler, const pm_cuda_request *request, char *text,
                                 char **bitcode, size_t *bytes, const pm_log *log, pm_error *err)
{
    /* a log that discards warnings, because the first compilation has logged them already */
    static const pm_log silent = {NULL, NULL};
    pm_error left_out[MOST_CUTS], now = *err;
    pm_status status = now.status;
    size_t count = 0;

    while (status == PM_BAD_INPUT && count < MOST_CUTS && pm_cuda_cut(request, text, now.text)) {
        left_out[count++] = now;
        status = pm_compile(compiler, text, request->path, request->build_options, bitcode, bytes,
                            &silent, &now);
    }
    /* If the user cancelled the work, report this and not an error in the source. */
    if (status != PM_OK && pm_cancelled(&pm_compiler_limits_of(compiler)->cancel))
        *err = now;
    if (status != PM_OK)
        return err->status;
    for (size_t i = 0; i < count; i++)
        pm_notice(log, "%s; it is left out", left_out[i].text);
    return PM_OK;
}

pm_status pm_cuda_bitcode(pm_compiler *compiler, const pm_cuda_request *request, char **bitcode,
                          size_t *bytes, const pm_log *log, pm_error *err)
{
    char *text = NULL;
    pm_text missing = {0};
    pm_cuda_request asked = *request;
    pm_status status;

    asked.missing = &missing;
    status = pm_cuda_source(&asked, &text, err);

    if (status == PM_OK)
        status = pm_compile(compiler, text, request->path, request->build_options, bitcode, bytes,
                            log, err);
    if (status == PM_BAD_INPUT && text)
        status = compile_without(compiler, request, text, bitcode, bytes, log, err);
    if (status == PM_OK && pm_code_calls(text, "printf"))
        pm_notice(log, "%s: printf in kernels is not counted", request->path);
    if (status == PM_OK && memmem(*bitcode, *bytes, grid_barrier, strlen(grid_barrier)))
        pm_notice(log,
                  "%s: the time that work-groups wait for each other at barriers of the whole grid "
                  "is not counted",
                  request->path);
    if (status == PM_BAD_INPUT && text)
        status = pm_cuda_explain(pm_text_get(&missing), err);
    pm_text_free(&missing);
    free(text);
    return status;
}
