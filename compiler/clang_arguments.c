/* Makes the command-line arguments with which clang compiles or parses kernels. See
 * clang_arguments.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/clang_arguments.h"

#include <limits.h>
#include <stdio.h>

#include "compiler/language.h"
#include "compiler/options/prelude_words.h"

/* Arguments of clang for all languages. They make sure that clang runs no LLVM passes and adds line
 * tables to the bitcode. Its output depends neither on the current folder nor on clang's
 * configuration files. */
static const char *const common[] = {"--no-default-config",
                                     "-fdebug-compilation-dir=/",
                                     "-O2",
                                     "-Xclang",
                                     "-disable-llvm-passes",
                                     "-g",
                                     "-emit-llvm",
                                     "-fno-discard-value-names",
                                     "-c",
                                     "-o",
                                     "-",
                                     "-fno-color-diagnostics",
                                     "-fno-caret-diagnostics",
                                     "-fno-crash-diagnostics",
                                     "-Wno-unused-command-line-argument",
                                     NULL};

/* Arguments of clang for OpenCL C. -fgnu-keywords: NVIDIA's OpenCL compiler accepts the keyword
 * asm; the option makes clang accept it too, so that clang can report where a source uses it. */
static const char *const opencl[] = {"-x", "cl", "--target=nvptx64--", "-fgnu-keywords", NULL};

/* Arguments of clang for CUDA. A header of perfmodel (compiler/cuda/prelude.cuh) replaces the
 * headers of the CUDA toolkit and of the host, because those differ between machines. It declares
 * variables such as threadIdx as properties, an extension of C++ by Microsoft, which
 * -fms-extensions enables. -ffp-contract=on: a product and a sum in one expression become one fused
 * multiply-add, as in OpenCL C. */
static const char *const cuda[] = {"-x",
                                   "cuda",
                                   "--cuda-device-only",
                                   "--cuda-gpu-arch=sm_80",
                                   "-nocudainc",
                                   "-nocudalib",
                                   "-nogpulib",
                                   "-nostdinc",
                                   "-fms-extensions",
                                   "-fno-ms-compatibility",
                                   "-fno-exceptions",
                                   "-fno-rtti",
                                   "-ffp-contract=on",
                                   "-Wno-unknown-cuda-version",
                                   "-Wno-undefined-inline",
                                   "-Wno-undefined-internal",
                                   "-Wno-unknown-pragmas",
                                   "-fno-builtin-printf",
                                   "-Wno-pass-failed",
                                   "-Wno-linker-warnings",
                                   "-Wno-pragma-once-outside-header",
                                   "-Wno-return-type",
                                   NULL};

/* Adds an option to clang's arguments. The option's value is the path of a file that is installed
 * with perfmodel. */
static pm_status add_shared(pm_arguments *arguments, const char *option, const char *name,
                            pm_error *err)
{
    char path[PATH_MAX];
    pm_status status = pm_share_path(name, path, sizeof path, err);

    pm_arguments_add(arguments, option);
    pm_arguments_add(arguments, path);
    return status;
}

static pm_status add_cuda_headers(pm_arguments *arguments, const char *headers, pm_error *err)
{
    char folder[PATH_MAX + 16];

    snprintf(folder, sizeof folder, "%s/include", headers);
    pm_arguments_add(arguments, "-isystem");
    pm_arguments_add(arguments, folder);
    if (add_shared(arguments, "-isystem", "cuda", err) != PM_OK)
        return err->status;
    return add_shared(arguments, "-include", "cuda/prelude.cuh", err);
}

static void add_libclc(pm_arguments *arguments, const char *path)
{
    static const char *const builtins[] = {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", NULL};

    pm_arguments_add_all(arguments, builtins);
    pm_arguments_add(arguments, path);
}

/* Returns whether the source, or a macro in the build options, contains the name of a libclc
 * function. Only then libclc is linked. */
static bool names_libclc(const pm_clang_request *request)
{
    bool named = pm_libclc_names_has(request->names, request->source);

    for (size_t i = 0; i < request->options->count && !named; i++)
        named = pm_libclc_names_has(request->names, request->options->items[i]);
    return named;
}

pm_status pm_clang_arguments(const pm_clang_request *request, pm_arguments *arguments,
                             pm_error *err)
{
    const bool is_cuda = pm_language_of(request->source_path) == PM_LANGUAGE_CUDA;
    pm_status status;

    pm_arguments_add(arguments, request->clang);
    pm_arguments_add_all(arguments, is_cuda ? cuda : opencl);
    pm_arguments_add_all(arguments, common);
    if (is_cuda || !pm_prelude_leave_out(request->source, request->options, arguments) ||
        names_libclc(request))
        add_libclc(arguments, request->libclc);
    status = is_cuda ? add_cuda_headers(arguments, request->headers, err)
                     : add_shared(arguments, "-include", "prelude.cl", err);
    pm_arguments_add_all(arguments, (const char *const *)request->options->items);
    if (status == PM_OK)
        status = pm_compiler_add_folder(arguments, request->source_path, err);
    pm_arguments_add(arguments, "-");
    return status;
}

void pm_opencl_parse_arguments(const char *headers, pm_arguments *arguments)
{
    char folder[PATH_MAX + 16];

    snprintf(folder, sizeof folder, "%s/include", headers);
    pm_arguments_add_all(arguments, opencl);
    pm_arguments_add(arguments, "-isystem");
    pm_arguments_add(arguments, folder);
}

pm_status pm_cuda_parse_arguments(const char *headers, pm_arguments *arguments, pm_error *err)
{
    pm_arguments_add_all(arguments, cuda);
    /* The macro makes vectors.cuh declare threadIdx and the other built-in variables as plain
     * variables, which is sufficient for parsing. */
    pm_arguments_add(arguments, "-DPM_PARSED=1");
    return add_cuda_headers(arguments, headers, err);
}

pm_status pm_host_parse_arguments(pm_arguments *arguments, pm_error *err)
{
    static const char *const host[] = {"-x",
                                       "cuda",
                                       "--no-default-config",
                                       "--target=x86_64-unknown-linux-gnu",
                                       "--cuda-host-only",
                                       "-nocudainc",
                                       "-nocudalib",
                                       "-nogpulib",
                                       "-nostdinc",
                                       "-ferror-limit=0",
                                       "-fno-spell-checking",
                                       "-fdeclspec",
                                       "-Wno-everything",
                                       NULL};

    pm_arguments_add_all(arguments, host);
    return add_shared(arguments, "-include", "cuda/host/host.cuh", err);
}
