/* Compiles OpenCL C to LLVM bitcode, by running clang as a separate process. See compile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The source is passed on standard input after a #line directive with its file name. So no file is
 * written, and messages and debug information have the source's line numbers.
 */
#include "compiler/compile.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/subprocess.h"
#include "compiler/clang_arguments.h"
#include "compiler/clang_messages.h"
#include "compiler/clang_place.h"
#include "compiler/language.h"
#include "compiler/libclc_parts.h"
#include "compiler/options/build_options.h"
#include "compiler/options/cuda_options.h"
#include "compiler/run_clang.h"

enum { OUTPUT_LIMIT = 1 << 28, MESSAGES_LIMIT = 1 << 18 };

static pm_status no_clang(pm_error *err, const char *what, const char *why)
{
    return pm_fail(err, PM_FAILED,
                   "%s: %s; the trace engine compiles kernels with clang %d and libclc: install "
                   "them (Debian: clang-%d libclc-%d), or set PERFMODEL_CLANG and PERFMODEL_LIBCLC "
                   "to where they are",
                   what, why, PM_LLVM_MAJOR, PM_LLVM_MAJOR, PM_LLVM_MAJOR);
}

/* ---- running clang ------------------------------------------------------------------------ */

struct pm_compiler {
    pm_compiler_limits limits;
    pthread_mutex_t lock; /* protects the members below */
    /* path of clang and of its resource folder; "" until they are first needed */
    char clang[PATH_MAX], headers[PATH_MAX];
    pm_libclc_names names;
    bool names_read;
    pm_compiled *compiled;
    pm_libclc_parts *parts;
    pm_once once;
};

pm_compiler *pm_compiler_create(const pm_compiler_limits *limits, pm_error *err)
{
    pm_compiler *compiler = calloc(1, sizeof *compiler);

    if (compiler) {
        compiler->compiled = pm_compiled_create(limits->cache);
        compiler->parts = pm_libclc_parts_create(limits->cutter);
    }
    if (!compiler || !compiler->compiled || !compiler->parts) {
        pm_fail(err, PM_FAILED, "out of memory for a compiler");
        if (compiler) {
            pm_compiled_free(compiler->compiled);
            pm_libclc_parts_free(compiler->parts);
        }
        free(compiler);
        return NULL;
    }
    compiler->limits = *limits;
    pthread_mutex_init(&compiler->lock, NULL);
    return compiler;
}

void pm_compiler_free(pm_compiler *compiler)
{
    if (!compiler)
        return;
    pthread_mutex_destroy(&compiler->lock);
    pm_compiled_free(compiler->compiled);
    pm_libclc_parts_free(compiler->parts);
    pm_libclc_names_free(&compiler->names);
    pm_once_clear(&compiler->once);
    free(compiler);
}

const pm_compiler_limits *pm_compiler_limits_of(const pm_compiler *compiler)
{
    return &compiler->limits;
}

pm_compiled *pm_compiler_compiled(pm_compiler *compiler)
{
    return compiler->compiled;
}

pm_libclc_parts *pm_compiler_libclc_parts(pm_compiler *compiler)
{
    return compiler->parts;
}

static int run(const pm_compiler *compiler, char *const *argv, const char *input,
               size_t input_bytes, pm_subprocess_result *result)
{
    const pm_subprocess_request request = {.input = input,
                                           .input_bytes = input_bytes,
                                           .output_limit = OUTPUT_LIMIT,
                                           .messages_limit = MESSAGES_LIMIT,
                                           .seconds_limit = compiler->limits.seconds,
                                           .memory_limit = compiler->limits.memory_bytes,
                                           .cancel = compiler->limits.cancel};

    return pm_subprocess_run(argv, &request, result);
}

/* ---- choosing a clang --------------------------------------------------------------------- */

/* Runs clang --version. Fails if clang's major version differs from the version of the LLVM library
 * with which perfmodel was built, because this library may be unable to read clang's bitcode. */
static pm_status check_clang(const pm_compiler *compiler, const char *clang, pm_error *err)
{
    char *argv[] = {(char *)(uintptr_t)clang, (char[]){"--version"}, NULL};
    pm_subprocess_result result;
    pm_status status = PM_OK;
    unsigned major = 0;
    int code = run(compiler, argv, NULL, 0, &result);
    const char *version = code == 0 ? strstr(result.output, "clang version ") : NULL;

    if (code != 0)
        status = no_clang(err, clang, strerror(code));
    /* the process may have been stopped because the user cancelled the work */
    else if (result.cancelled)
        status = pm_fail(err, PM_FAILED, "interrupted");
    else if (!version || sscanf(version, "clang version %9u", &major) != 1)
        status = no_clang(err, clang, "does not answer --version as clang does");
    else if (major != PM_LLVM_MAJOR) {
        char why[80];

        snprintf(why, sizeof why, "is clang %u, whose bitcode LLVM %d may not read", major,
                 PM_LLVM_MAJOR);
        status = no_clang(err, clang, why);
    }
    pm_subprocess_free(&result);
    return status;
}

/* Chooses the clang to use. $PERFMODEL_CLANG is used if it is set. Otherwise the first clang that
 * works is used, in this order: the one installed with perfmodel, the one found when perfmodel was
 * built, the one on $PATH. */
static pm_status choose_clang(pm_compiler *compiler, pm_error *err)
{
    const char *chosen = getenv("PERFMODEL_CLANG");
    char versioned[32], program[48], installed[PATH_MAX] = "";
    const char *candidates[] = {installed, PM_CLANG, versioned, "clang"};
    const size_t count = sizeof candidates / sizeof *candidates;
    size_t i = 0;

    if (PM_LLVM_MAJOR == 0)
        return pm_fail(err, PM_FAILED,
                       "this perfmodel was built without LLVM, which the trace engine needs: build "
                       "it again where LLVM 19 is installed (Debian: llvm-19-dev clang-19 "
                       "libclang-19-dev libclc-19)");
    snprintf(versioned, sizeof versioned, "clang-%d", PM_LLVM_MAJOR);
    snprintf(program, sizeof program, "bin/%s", versioned);
    if (!pm_clang_installed(program, installed, sizeof installed))
        *installed = '\0';
    if (chosen && *chosen) {
        if (strlen(chosen) >= sizeof compiler->clang)
            return no_clang(err, "PERFMODEL_CLANG", "too long for a path");
        if (check_clang(compiler, chosen, err) != PM_OK)
            return PM_FAILED;
    } else {
        while (i < count && !pm_clang_tells_version(candidates[i]) &&
               (!*candidates[i] || check_clang(compiler, candidates[i], NULL) != PM_OK))
            i++;
        if (i == count)
            return check_clang(compiler, versioned, err);
        chosen = candidates[i];
    }
    strcpy(compiler->clang, chosen);
    return PM_OK;
}

static pm_status find_clang(pm_compiler *compiler, pm_error *err)
{
    pm_status status = PM_OK;

    pthread_mutex_lock(&compiler->lock);
    if (!*compiler->clang)
        status = choose_clang(compiler, err);
    pthread_mutex_unlock(&compiler->lock);
    return status;
}

pm_status pm_compiler_program(pm_compiler *compiler, char **path, pm_error *err)
{
    *path = compiler->clang;
    return find_clang(compiler, err);
}

static pm_status ask_headers(pm_compiler *compiler, pm_error *err)
{
    char *argv[] = {compiler->clang, (char[]){"-print-resource-dir"}, NULL};
    pm_subprocess_result result;
    int code = run(compiler, argv, NULL, 0, &result);
    size_t length = code == 0 ? strcspn(result.output, "\n") : 0;
    pm_status status = PM_OK;

    if (code != 0)
        status = no_clang(err, compiler->clang, strerror(code));
    else if (result.cancelled)
        status = pm_fail(err, PM_FAILED, "interrupted");
    else if (result.exit_code != 0 || length == 0 || length >= sizeof compiler->headers)
        status = no_clang(err, compiler->clang, "does not say where its headers are");
    else
        memcpy(compiler->headers, result.output, length);
    pm_subprocess_free(&result);
    return status;
}

static pm_status find_headers(pm_compiler *compiler, pm_error *err)
{
    char found[sizeof compiler->headers];

    if (!pm_clang_headers(compiler->clang, found, sizeof found))
        return ask_headers(compiler, err);
    strcpy(compiler->headers, found);
    return PM_OK;
}

pm_status pm_compiler_headers(pm_compiler *compiler, const char **folder, pm_error *err)
{
    pm_status status = find_clang(compiler, err);

    pthread_mutex_lock(&compiler->lock);
    if (status == PM_OK && !*compiler->headers)
        status = find_headers(compiler, err);
    pthread_mutex_unlock(&compiler->lock);
    *folder = compiler->headers;
    return status;
}

pm_status pm_find_libclc(char *path, size_t size, pm_error *err)
{
    static const char name[] = "nvptx64--nvidiacl.bc";
    const char *chosen = getenv("PERFMODEL_LIBCLC");

    if (!chosen || !*chosen) {
        if (pm_clang_installed(name, path, size))
            return PM_OK;
        chosen = PM_LIBCLC;
    }
    if (!*chosen)
        return no_clang(err, "nvptx64--nvidiacl.bc of libclc", "not found");
    if (strlen(chosen) >= size)
        return no_clang(err, "PERFMODEL_LIBCLC", "too long for a path");
    strcpy(path, chosen);
    if (access(path, R_OK) != 0)
        return no_clang(err, path, strerror(errno));
    return PM_OK;
}

pm_status pm_compiler_find(pm_compiler *compiler, pm_error *err)
{
    char libclc[PATH_MAX];
    pm_status status = find_clang(compiler, err);

    return status == PM_OK ? pm_find_libclc(libclc, sizeof libclc, err) : status;
}

/* ---- clang's input ------------------------------------------------------------------------- */

pm_status pm_compiler_options(pm_compiler *compiler, const char *build_options,
                              pm_arguments *arguments, const pm_log *log, pm_error *err)
{
    pm_status status;

    pthread_mutex_lock(&compiler->lock);
    status = pm_build_options(build_options, arguments, &compiler->once, log, err);
    pthread_mutex_unlock(&compiler->lock);
    return status;
}

pm_status pm_compiler_cuda_options(pm_compiler *compiler, const char *build_options,
                                   pm_arguments *arguments, const pm_log *log, pm_error *err)
{
    pm_status status;

    pthread_mutex_lock(&compiler->lock);
    status = pm_cuda_options(build_options, arguments, &compiler->once, log, err);
    pthread_mutex_unlock(&compiler->lock);
    return status;
}

void pm_compiler_tell_once(pm_compiler *compiler, const pm_log *log, const char *line)
{
    pthread_mutex_lock(&compiler->lock);
    pm_once_notice(&compiler->once, log, "%s", line);
    pthread_mutex_unlock(&compiler->lock);
}

const pm_libclc_names *pm_compiler_libclc_names(pm_compiler *compiler, const char *libclc)
{
    pthread_mutex_lock(&compiler->lock);
    if (!compiler->names_read)
        pm_libclc_names_read(libclc, &compiler->names);
    compiler->names_read = true;
    pthread_mutex_unlock(&compiler->lock);
    return &compiler->names;
}

/* Returns the text that clang reads from standard input: a #line directive and the source. The
 * caller frees it. Returns NULL if memory runs out. */
static char *make_input(const char *source, const char *source_path, size_t *bytes)
{
    size_t length = strlen(source);
    char *text = malloc(length + 2 * strlen(source_path) + 16), *at = text;

    if (!text)
        return NULL;
    at += sprintf(at, "#line 1 \"");
    for (const char *c = source_path; *c; c++) {
        if (*c == '"' || *c == '\\')
            *at++ = '\\';
        *at++ = *c == '\n' || *c == '\r' ? '?' : *c;
    }
    at += sprintf(at, "\"\n");
    memcpy(at, source, length);
    *bytes = (size_t)(at - text) + length;
    return text;
}

/* ---- clang's messages ---------------------------------------------------------------------- */

static pm_status judge(const pm_compiler *compiler, const pm_subprocess_result *result,
                       const pm_clang_findings *found, const char *source_path, pm_error *err)
{
    const char *clang = compiler->clang;
    char more[48] = "";

    if (found->errors > 1)
        snprintf(more, sizeof more, " (and %u more error%s)", found->errors - 1,
                 found->errors > 2 ? "s" : "");
    /* If the user cancelled, clang's messages do not matter, because Ctrl-C on a terminal stops
     * clang, too. */
    if (result->cancelled ||
        ((result->exit_code != 0 || result->signal) && pm_cancelled(&compiler->limits.cancel)))
        return pm_fail(err, PM_FAILED, "%s: cancelled while %s compiled it", source_path, clang);
    if (result->too_slow)
        return pm_fail(err, PM_FAILED, "%s: %s was ended after %g s", source_path, clang,
                       compiler->limits.seconds);
    if (result->too_much)
        return pm_fail(err, PM_FAILED, "%s: %s was ended after %d MiB of output", source_path,
                       clang, OUTPUT_LIMIT >> 20);
    if (result->signal)
        return pm_fail(err, PM_FAILED, "%s: %s was ended by signal %d (%s)", source_path, clang,
                       result->signal, strsignal(result->signal));
    if (result->exit_code != 0 && found->placed)
        return pm_fail(err, PM_BAD_INPUT, "%s%s", found->first_error, more);
    if (result->exit_code != 0)
        return pm_fail(err, PM_FAILED, "%s: %s failed with code %d: %s", source_path, clang,
                       result->exit_code,
                       found->errors ? found->first_error : "it does not say why");
    return PM_OK;
}

pm_status pm_run_clang(const pm_compiler *compiler, const pm_arguments *arguments,
                       const char *source, const char *path, pm_subprocess_result *result,
                       const pm_log *log, pm_error *err)
{
    size_t bytes = 0;
    char *input = make_input(source, path, &bytes), *said;
    pm_clang_findings found = {.errors = 0};
    int code;

    if (!input || arguments->failed) {
        free(input);
        return pm_fail(err, PM_FAILED, "%s: out of memory", path);
    }
    code = run(compiler, arguments->items, input, bytes, result);
    free(input);
    if (code != 0)
        return pm_fail(err, PM_FAILED, "%s: %s: %s", path, compiler->clang, strerror(code));
    /* the messages are copied, because pm_clang_read_messages splits them into lines in place */
    said = strdup(result->messages);
    if (!said)
        return pm_fail(err, PM_FAILED, "%s: out of memory", path);
    pm_clang_read_messages(said, log, &found);
    free(said);
    return judge(compiler, result, &found, path, err);
}
