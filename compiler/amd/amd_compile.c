/* Compiles OpenCL C to assembly for AMD GPUs with clang. See amd_code.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "compiler/amd/amd_code.h"
#include "compiler/run_clang.h"

/* Writes the path of libclc's bitcode for AMD GPUs to `path`. The file is in the folder of the
 * bitcode for NVIDIA GPUs. */
static pm_status find_builtins(char *path, size_t size, pm_error *err)
{
    static const char name[] = "amdgcn--amdhsa.bc";
    char libclc[PATH_MAX];
    const char *slash;
    pm_status status = pm_find_libclc(libclc, sizeof libclc, err);
    int length;

    if (status != PM_OK)
        return status;
    slash = strrchr(libclc, '/');
    length = snprintf(path, size, "%.*s%s", slash ? (int)(slash - libclc + 1) : 0, libclc, name);
    if (length < 0 || (size_t)length >= size || access(path, R_OK) != 0)
        return pm_fail(err, PM_FAILED, "%.400s: %s; it comes with libclc", path, strerror(errno));
    return PM_OK;
}

static void add_parts(pm_arguments *arguments, const char *clang, const char *processor,
                      const char *builtins, const pm_arguments *options)
{
    static const char *const fixed[] = {"--no-default-config",
                                        "-x",
                                        "cl",
                                        "--target=amdgcn-amd-amdhsa",
                                        "-fgnu-keywords",
                                        "-O3",
                                        "-S",
                                        "-o",
                                        "-",
                                        "-nogpulib",
                                        "-w",
                                        "-fno-color-diagnostics",
                                        "-fno-caret-diagnostics",
                                        "-fno-crash-diagnostics",
                                        "-Xclang",
                                        "-mlink-builtin-bitcode",
                                        "-Xclang",
                                        NULL};
    char cpu[64];

    snprintf(cpu, sizeof cpu, "-mcpu=%.32s", processor);
    pm_arguments_add(arguments, clang);
    pm_arguments_add_all(arguments, fixed);
    pm_arguments_add(arguments, builtins);
    pm_arguments_add(arguments, cpu);
    pm_arguments_add_all(arguments, (const char *const *)options->items);
}

static pm_status make_arguments(pm_compiler *compiler, const char *source_path,
                                const char *build_options, const char *processor,
                                pm_arguments *arguments, pm_error *err)
{
    pm_arguments options = {0};
    char builtins[PATH_MAX] = "", *clang = NULL;
    pm_status status = pm_compiler_program(compiler, &clang, err);

    if (status == PM_OK)
        status = find_builtins(builtins, sizeof builtins, err);
    if (status == PM_OK)
        status = pm_compiler_options(compiler, build_options, &options, NULL, err);
    if (status == PM_OK) {
        add_parts(arguments, clang, processor, builtins, &options);
        status = pm_compiler_add_folder(arguments, source_path, err);
    }
    pm_arguments_add(arguments, "-");
    pm_arguments_free(&options);
    return status;
}

bool pm_amd_key(pm_compiler *compiler, const char *source, const char *source_path,
                const char *build_options, const char *processor, pm_wire *key)
{
    const char *path = source_path ? source_path : "kernel.cl";
    pm_arguments arguments = {0};
    pm_error unread = {0};
    bool known =
        make_arguments(compiler, path, build_options, processor, &arguments, &unread) == PM_OK &&
        pm_run_clang_key(compiler, &arguments, source, path, key);

    pm_arguments_free(&arguments);
    return known;
}

typedef struct {
    char *assembly;
    pm_amd_code *code;
} reading;

static void read_it(void *user)
{
    reading *r = user;

    pm_amd_read(r->assembly, r->code);
}

pm_status pm_amd_compile(pm_compiler *compiler, const char *source, const char *source_path,
                         const char *build_options, const char *processor, pm_amd_code *code,
                         pm_error *err)
{
    const char *path = source_path ? source_path : "kernel.cl";
    pm_arguments arguments = {0};
    pm_subprocess_result result = {0};
    pm_error why = {0};
    pm_status status;

    *code = (pm_amd_code){.count = 0};
    status = make_arguments(compiler, path, build_options, processor, &arguments, &why);
    if (status == PM_OK)
        status = pm_run_clang_once(compiler, &arguments, source, path, &result, NULL, &why);
    if (status != PM_OK) {
        status = pm_fail(err, PM_FAILED, "for %s: %s", processor, why.text);
    } else {
        reading r = {.assembly = result.output, .code = code};

        status = pm_attempt(&code->memory, read_it, &r, err);
    }
    pm_arguments_free(&arguments);
    pm_subprocess_free(&result);
    return status;
}
