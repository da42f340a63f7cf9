/* Compiles the CUDA source of a workload to PTX with nvcc. See cuda_compile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "base/text.h"
#include "compiler/nvidia/cuda_compile.h"
#include "compiler/options/cuda_options.h"

enum { MESSAGES_LIMIT = 1 << 20, MOST_PTX = 64 << 20 };

typedef struct {
    const pm_nvcc *nvcc;
    const pm_workload *workload;
    pm_cuda_code *code;
    pm_memory *memory; /* memory of the result, the compiled code */
    pm_arguments arguments;
    pm_text text;
    /* paths of the temporary folder, and of the source and the PTX in it */
    char folder[64], *source, *ptx;
} job;

/* ---- finding nvcc -------------------------------------------------------------------------- */

static bool is_program(char *path, size_t size, const char *folder, size_t length, const char *name)
{
    int written = snprintf(path, size, "%.*s%s", (int)length, folder, name);

    return length > 0 && written > 0 && (size_t)written < size && access(path, X_OK) == 0;
}

static bool find(char path[PATH_MAX])
{
    static const char *const toolkits[] = {"CUDA_HOME", "CUDA_PATH"};
    const char *folders = getenv("PATH"), *chosen = getenv("PERFMODEL_NVCC");

    if (chosen && *chosen)
        return is_program(path, PATH_MAX, chosen, strlen(chosen), "");
    for (const char *at = folders ? folders : ""; *at; at += *at == ':') {
        size_t length = strcspn(at, ":");

        if (is_program(path, PATH_MAX, at, length, "/nvcc"))
            return true;
        at += length;
    }
    for (size_t i = 0; i < sizeof toolkits / sizeof *toolkits; i++) {
        const char *folder = getenv(toolkits[i]);

        if (folder && is_program(path, PATH_MAX, folder, strlen(folder), "/bin/nvcc"))
            return true;
    }
    return is_program(path, PATH_MAX, "/usr/local/cuda", 15, "/bin/nvcc");
}

/* Runs a program and sets *result to its output. Returns PM_OK if its exit code is 0. */
static pm_status run(const pm_nvcc *nvcc, char *const *argv, pm_subprocess_result *result,
                     pm_error *err)
{
    const pm_subprocess_request request = {.output_limit = MESSAGES_LIMIT,
                                           .messages_limit = MESSAGES_LIMIT,
                                           .seconds_limit = nvcc->limits.seconds,
                                           .cancel = nvcc->limits.cancel};
    int code = pm_subprocess_run(argv, &request, result);

    if (code != 0)
        return pm_fail(err, PM_FAILED, "%.400s: %s", nvcc->path, strerror(code));
    if (result->cancelled)
        return pm_fail(err, PM_FAILED, "interrupted");
    if (result->too_slow || result->too_much || result->signal)
        return pm_fail(err, PM_FAILED, "%.400s: was ended: it took too long or said too much",
                       nvcc->path);
    return result->exit_code == 0
               ? PM_OK
               : pm_fail(err, PM_BAD_INPUT, "%.400s: exit code %d", nvcc->path, result->exit_code);
}

/* Reads the version (here 13.0.88) from nvcc's output, such as "Cuda compilation tools, release
 * 13.0, V13.0.88". Returns false if it has none. */
static bool read_version(const char *text, char *name, size_t size)
{
    const char *at = strstr(text, "release ");
    size_t length;

    at = at ? strstr(at, ", V") : NULL;
    length = at ? strspn(at + 3, "0123456789.") : 0;
    snprintf(name, size, "nvcc %.*s", (int)length, at ? at + 3 : "");
    return length > 0 && length < 32;
}

pm_status pm_nvcc_find(pm_nvcc *nvcc, unsigned capability, const pm_compiler_limits *limits,
                       pm_error *err)
{
    char *argv[] = {nvcc->path, (char[]){"--version"}, NULL};
    pm_subprocess_result result = {0};
    pm_status status;

    *nvcc = (pm_nvcc){.capability = capability, .limits = *limits};
    if (!find(nvcc->path))
        return pm_fail(err, PM_FAILED, "no nvcc on PATH, in $CUDA_HOME or in /usr/local/cuda");
    status = run(nvcc, argv, &result, err);
    if (status == PM_OK && !read_version(result.output, nvcc->name, sizeof nvcc->name))
        status =
            pm_fail(err, PM_FAILED, "%.400s does not answer --version as nvcc does", nvcc->path);
    pm_subprocess_free(&result);
    return status == PM_OK ? PM_OK : PM_FAILED;
}

/* ---- the source ---------------------------------------------------------------------------- */

static void write_source(job *j)
{
    pm_text_add(&j->text, "%s", pm_cuda_text(j->workload, j->memory));
    pm_cuda_add_names(j->workload, PM_CUDA_NAMES, &j->text);
    if (j->text.failed)
        pm_leave(j->memory, PM_FAILED, "%s: out of memory", j->workload->program);
    snprintf(j->folder, sizeof j->folder, "/tmp/perfmodel-XXXXXX");
    if (!mkdtemp(j->folder)) {
        *j->folder = '\0';
        pm_leave(j->memory, PM_FAILED, "/tmp: cannot make a folder there: %s", strerror(errno));
    }
    j->source = pm_format(j->memory, "%s/source.cu", j->folder);
    j->ptx = pm_format(j->memory, "%s/source.ptx", j->folder);
    pm_require(j->memory, pm_file_write(j->source, pm_text_get(&j->text), "make room in /tmp",
                                        j->memory->err));
}

/* ---- output -------------------------------------------------------------------------------- */

static void compile(job *j)
{
    const char *const words[] = {"-ptx", "-w", "-o", j->ptx, j->source};
    pm_subprocess_result result = {0};
    pm_status status;

    pm_arguments_add(&j->arguments, j->nvcc->path);
    pm_require(j->memory,
               pm_nvcc_options(j->workload->build_options, &j->arguments, j->memory->err));
    pm_arguments_add(&j->arguments, pm_format(j->memory, "-arch=compute_%u", j->nvcc->capability));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        pm_arguments_add(&j->arguments, words[i]);
    if (j->arguments.failed)
        pm_leave(j->memory, PM_FAILED, "%s: out of memory for options", j->workload->program);
    status = run(j->nvcc, j->arguments.items, &result, j->memory->err);
    if (status == PM_BAD_INPUT) {
        char *said = pm_try_take(j->memory, strlen(result.messages) + 1, 1);

        if (said)
            strcpy(said, result.messages);
        pm_subprocess_free(&result);
        pm_cuda_tell(j->memory, j->workload, j->nvcc->name, said ? said : "");
    }
    pm_subprocess_free(&result);
    pm_require(j->memory, status);
}

static void work(void *user)
{
    job *j = user;
    char *text;
    size_t size;

    write_source(j);
    compile(j);
    pm_require(j->memory, pm_file_read(j->ptx, MOST_PTX, "PTX", &text, j->memory->err));
    size = strlen(text) + 1;
    j->code->ptx = pm_try_take(j->memory, size, 1);
    if (j->code->ptx)
        memcpy(j->code->ptx, text, size);
    free(text);
    if (!j->code->ptx)
        pm_leave(j->memory, PM_FAILED, "%s: out of memory for PTX", j->workload->program);
    pm_cuda_take_names(j->workload, j->nvcc->name, j->code);
}

pm_status pm_nvcc_compile(const pm_nvcc *nvcc, const pm_workload *workload, pm_cuda_code *code,
                          pm_error *err)
{
    job j = {.nvcc = nvcc, .workload = workload, .code = code, .memory = &code->memory};
    pm_status status = pm_attempt(j.memory, work, &j, err);

    if (j.source)
        unlink(j.source);
    if (j.ptx)
        unlink(j.ptx);
    if (*j.folder)
        rmdir(j.folder);
    pm_text_free(&j.text);
    pm_arguments_free(&j.arguments);
    return status;
}
