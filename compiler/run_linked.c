/* Runs clang so that it links not the whole library libclc, but a small file with those functions
 * of libclc that the source needs. See run_clang.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/clang_messages.h"
#include "compiler/run_clang.h"

/* Returns the index of libclc's path (for NVIDIA GPUs) in clang's arguments; arguments->count if
 * clang does not link libclc. */
static size_t find_libclc(const pm_arguments *arguments)
{
    char libclc[PATH_MAX];

    if (pm_find_libclc(libclc, sizeof libclc, NULL) != PM_OK)
        return arguments->count;
    for (size_t i = 2; i < arguments->count; i++)
        if (strcmp(arguments->items[i - 2], "-mlink-builtin-bitcode") == 0 &&
            strcmp(arguments->items[i], libclc) == 0)
            return i;
    return arguments->count;
}

static bool log_warnings(const pm_subprocess_result *result, const pm_log *log)
{
    char *said = strdup(result->messages);
    pm_clang_findings found;

    if (!said)
        return false;
    pm_clang_read_messages(said, log, &found);
    free(said);
    return true;
}

/* Runs clang with a small bitcode file that has only the needed functions of libclc, in place of
 * all of libclc. part: descriptor of this file. The path of libclc is argument number `at`. Returns
 * false if clang fails, or if the file lacks a function. */
static bool run_with_part(const pm_compiler *compiler, const pm_arguments *arguments, size_t at,
                          int part, const pm_libclc_names *names, const char *source,
                          const char *path, pm_subprocess_result *result, const pm_log *log)
{
    pm_arguments changed = {0};
    char file[48];
    bool done;

    /* clang, a child of this process, opens the file by this process's descriptor */
    snprintf(file, sizeof file, "/proc/%ld/fd/%d", (long)getpid(), part);
    for (size_t i = 0; i < arguments->count; i++)
        pm_arguments_add(&changed, i == at ? file : arguments->items[i]);
    done = pm_run_clang(compiler, &changed, source, path, result, NULL, NULL) == PM_OK &&
           pm_libclc_parts_suffice(part, names, result->output, result->output_bytes) &&
           log_warnings(result, log);
    pm_arguments_free(&changed);
    if (!done)
        pm_subprocess_free(result);
    return done;
}

pm_status pm_run_clang_linked(pm_compiler *compiler, const pm_arguments *arguments,
                              const char *source, const char *path, pm_subprocess_result *result,
                              const pm_log *log, pm_error *err)
{
    pm_libclc_parts *parts = pm_compiler_libclc_parts(compiler);
    const size_t at = find_libclc(arguments);
    const pm_libclc_names *names;
    pm_status status;
    bool done = false;
    int part;

    if (at == arguments->count)
        return pm_run_clang(compiler, arguments, source, path, result, log, err);
    names = pm_compiler_libclc_names(compiler, arguments->items[at]);
    part = names->count > 0 ? pm_libclc_parts_open(parts, path, arguments->items[at]) : -1;
    if (part >= 0) {
        done = run_with_part(compiler, arguments, at, part, names, source, path, result, log);
        close(part);
    }
    if (done)
        return PM_OK;
    status = pm_run_clang(compiler, arguments, source, path, result, log, err);
    if (status == PM_OK && names->count > 0)
        pm_libclc_parts_learn(parts, path, names, result->output, result->output_bytes);
    return status;
}
