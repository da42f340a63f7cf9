/* Runs clang's preprocessor on a source, and returns the text with all macros and headers expanded.
 * See compile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/compile.h"
#include "compiler/language.h"
#include "compiler/run_clang.h"

/* Preprocesses a source with clang. The option -cl-no-stdinc keeps macros of OpenCL's own header as
 * they are. libclang, which parses the result later, knows these macros. */
pm_status pm_preprocess(pm_compiler *compiler, const char *source, const char *source_path,
                        const pm_arguments *options, char **text, pm_error *err)
{
    static const char *const fixed[] = {"--no-default-config",
                                        "-E",
                                        "-C",
                                        "-fno-color-diagnostics",
                                        "-fno-caret-diagnostics",
                                        "-Wno-unused-command-line-argument",
                                        NULL};
    static const char *const opencl[] = {"-x", "cl", "--target=nvptx64--", "-cl-no-stdinc", NULL};
    /* Arguments of clang for CUDA. perfmodel's prelude (its CUDA declarations) is not among them,
     * so that the prelude's macros are not expanded. */
    static const char *const cuda[] = {"-x",
                                       "cuda",
                                       "--cuda-device-only",
                                       "--cuda-gpu-arch=sm_80",
                                       "-nocudainc",
                                       "-nocudalib",
                                       "-nogpulib",
                                       "-nostdinc",
                                       "-D__CUDACC__=1",
                                       "-D__NVCC__=1",
                                       "-DCUDART_VERSION=12000",
                                       "-DCUDA_VERSION=12000",
                                       "-Wno-unknown-cuda-version",
                                       NULL};
    const bool is_cuda = pm_language_of(source_path) == PM_LANGUAGE_CUDA;
    pm_arguments arguments = {0};
    pm_subprocess_result result = {0};
    char *clang = NULL;
    pm_status status = pm_compiler_program(compiler, &clang, err);

    *text = NULL;
    pm_arguments_add(&arguments, clang);
    pm_arguments_add_all(&arguments, fixed);
    pm_arguments_add_all(&arguments, is_cuda ? cuda : opencl);
    pm_arguments_add_all(&arguments, (const char *const *)options->items);
    pm_arguments_add(&arguments, "-");
    if (status == PM_OK)
        status = pm_run_clang_once(compiler, &arguments, source, source_path, &result, NULL, err);
    if (status == PM_OK) {
        *text = result.output;
        result.output = NULL;
    }
    pm_arguments_free(&arguments);
    pm_subprocess_free(&result);
    return status;
}
