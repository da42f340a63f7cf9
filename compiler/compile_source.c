/* Compiles an OpenCL C source to bitcode: makes clang's arguments and runs clang, or takes the
 * result from the cache. See compile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "compiler/clang_arguments.h"
#include "compiler/clang_place.h"
#include "compiler/compile.h"
#include "compiler/language.h"
#include "compiler/run_clang.h"

static pm_status make_arguments(pm_compiler *compiler, const char *clang, const char *source,
                                const char *source_path, const char *build_options,
                                pm_arguments *arguments, const pm_log *log, pm_error *err)
{
    const bool is_cuda = pm_language_of(source_path) == PM_LANGUAGE_CUDA;
    pm_arguments options = {0};
    char libclc[PATH_MAX];
    pm_clang_request request = {.clang = clang,
                                .libclc = libclc,
                                .source = source,
                                .source_path = source_path,
                                .options = &options};
    pm_status status = pm_find_libclc(libclc, sizeof libclc, err);

    if (status == PM_OK && is_cuda)
        status = pm_compiler_headers(compiler, &request.headers, err);
    else if (status == PM_OK)
        request.names = pm_compiler_libclc_names(compiler, request.libclc);
    if (status == PM_OK)
        status = is_cuda ? pm_compiler_cuda_options(compiler, build_options, &options, log, err)
                         : pm_compiler_options(compiler, build_options, &options, log, err);
    if (status == PM_OK)
        status = pm_clang_arguments(&request, arguments, err);
    pm_arguments_free(&options);
    return status;
}

static pm_status compile(pm_compiler *compiler, const pm_arguments *arguments, const char *source,
                         const char *path, pm_subprocess_result *result, const pm_log *log,
                         pm_error *err)
{
    pm_status status = pm_run_clang_once(compiler, arguments, source, path, result, log, err);

    if (status != PM_OK ||
        (result->output_bytes >= 4 && memcmp(result->output, "BC\xc0\xde", 4) == 0))
        return status;
    return pm_fail(err, PM_FAILED, "%s: what %s wrote is no LLVM bitcode", path,
                   arguments->items[0]);
}

pm_status pm_compile(pm_compiler *compiler, const char *source, const char *source_path,
                     const char *build_options, char **bitcode, size_t *bytes, const pm_log *log,
                     pm_error *err)
{
    const char *path = source_path ? source_path : "kernel.cl";
    pm_arguments arguments = {0};
    pm_subprocess_result result = {0};
    char *clang = NULL;
    pm_status status = pm_compiler_program(compiler, &clang, err);

    *bitcode = NULL;
    *bytes = 0;
    if (status == PM_OK)
        status = make_arguments(compiler, clang, source, path, build_options, &arguments, log, err);
    if (status == PM_OK)
        status = compile(compiler, &arguments, source, path, &result, log, err);
    if (status == PM_OK) {
        *bitcode = result.output;
        *bytes = result.output_bytes;
        result.output = NULL;
    }
    pm_arguments_free(&arguments);
    pm_subprocess_free(&result);
    return status;
}

bool pm_compile_key(pm_compiler *compiler, const char *source, const char *source_path,
                    const char *build_options, pm_wire *key, const pm_log *log)
{
    const char *path = source_path ? source_path : "kernel.cl";
    pm_arguments arguments = {0};
    pm_error unread = {0};
    char *clang = NULL;
    bool known = pm_compiler_program(compiler, &clang, &unread) == PM_OK &&
                 make_arguments(compiler, clang, source, path, build_options, &arguments, log,
                                &unread) == PM_OK &&
                 pm_run_clang_key(compiler, &arguments, source, path, key);

    pm_arguments_free(&arguments);
    return known;
}
