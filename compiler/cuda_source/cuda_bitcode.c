/* Compiles a CUDA source to bitcode. See cuda_bitcode.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_source/cuda_bitcode.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compiler/cuda_source/cuda_cut.h"

enum { MOST_CUTS = 12 };

/* Compiles again and again without the declarations that do not compile. Success means that no
 * kernel needed them. Otherwise err keeps the first error. */
static pm_status compile_without(pm_compiler *compiler, const pm_cuda_request *request, char *text,
                                 char **bitcode, size_t *bytes, const pm_log *log, pm_error *err)
{
    static const pm_log silent = {NULL, NULL}; /* warnings were logged by the first compilation */
    pm_error left_out[MOST_CUTS], now = *err;
    pm_status status = now.status;
    size_t count = 0;

    while (status == PM_BAD_INPUT && count < MOST_CUTS && pm_cuda_cut(request, text, now.text)) {
        left_out[count++] = now;
        status = pm_compile(compiler, text, request->path, request->build_options, bitcode, bytes,
                            &silent, &now);
    }
    /* A cancelled compilation is not the source's fault. */
    if (status != PM_OK && pm_cancelled(&pm_compiler_limits_of(compiler)->cancel))
        *err = now;
    if (status != PM_OK)
        return err->status;
    for (size_t i = 0; i < count; i++)
        pm_notice(log, "%s; it is left out", left_out[i].text);
    return PM_OK;
}

#define LEFT_OUT                                                                                   \
    " are left out: write what the kernel needs of them into the source, or trace another"
#define NOT_TRACED " cannot be traced: count this kernel without it"

/* Explains an error in a source that the toolkit's compiler would accept. */
static pm_status explain(pm_error *err)
{
    static const struct {
        const char *words, *why;
    } known[] = {
        {"'thrust", "headers of Thrust" LEFT_OUT},
        {"'cub", "headers of CUB" LEFT_OUT},
        {"'curand", "headers of cuRAND" LEFT_OUT},
        {"'cuda::", "headers of libcu++" LEFT_OUT},
        {"identifier 'cuda'", "headers of libcu++" LEFT_OUT},
        {"in namespace 'std'", "headers of C++ but for numbers and types" LEFT_OUT},
        {"file not found",
         "it was looked for in the source's folder and in those of -I: name its folder with -I in "
         "options, or give the file as nvcc -E or cpp writes it"},
        {"'nvcuda", "a tensor core" NOT_TRACED},
        {"'__pipeline_", "an asynchronous copy" NOT_TRACED},
        {"'memcpy_async'", "an asynchronous copy" NOT_TRACED},
        {"reference to __global__ function", "a launch from a kernel" NOT_TRACED},
        {"cudaConfigureCall", "a launch from a kernel" NOT_TRACED},
        {"cannot use 'throw'", "an exception" NOT_TRACED},
        {"cannot use 'try'", "an exception" NOT_TRACED},
    };
    const pm_error was = *err;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(was.text, known[i].words))
            return pm_fail(err, was.status, "%s; %s", was.text, known[i].why);
    return was.status;
}

pm_status pm_cuda_bitcode(pm_compiler *compiler, const pm_cuda_request *request, char **bitcode,
                          size_t *bytes, const pm_log *log, pm_error *err)
{
    char *text = NULL;
    pm_status status = pm_cuda_source(request, &text, err);

    if (status == PM_OK)
        status = pm_compile(compiler, text, request->path, request->build_options, bitcode, bytes,
                            log, err);
    if (status == PM_BAD_INPUT && text)
        status = compile_without(compiler, request, text, bitcode, bytes, log, err);
    if (status == PM_BAD_INPUT && text)
        status = explain(err);
    free(text);
    return status;
}
