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

enum { MOST_PTX = 64 << 20 };

typedef struct {
    const pm_nvcc *nvcc;
    const pm_workload *workload;
    pm_cuda_code *code;
    bool is_whole; /* true: the source is compiled with its host code */
    /* true: names of template instances are not asked from nvcc; an instance is found in the PTX by
     * the template's name */
    bool no_templates;
    pm_memory *memory; /* memory that owns the result, the compiled code */
    pm_arguments arguments;
    pm_text text;
    /* paths of the temporary folder, and of the source and the PTX in it */
    char folder[64], *source, *ptx;
} job;

/* ---- the source ---------------------------------------------------------------------------- */

/* Returns the source as it is. Messages and the PTX call it by the path of the workload's
 * source. */
static const char *whole_text(job *j)
{
    return pm_format(j->memory, "#line 1 \"%s\"\n%s\n", j->workload->source_path,
                     j->workload->source);
}

static void write_source(job *j)
{
    pm_text_add(&j->text, "%s", j->is_whole ? whole_text(j) : pm_cuda_text(j->workload, j->memory));
    pm_cuda_add_names(j->workload, PM_CUDA_NAMES, j->no_templates, &j->text);
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

/* Adds the options for a source with its host code. -I: headers are searched in the source's
 * folder. The other options allow language extensions that the program may use. They do not change
 * the code of programs that do not use them. */
static void add_whole_options(job *j)
{
    const char *path = j->workload->source_path, *slash = strrchr(path, '/');

    pm_arguments_add(&j->arguments, pm_format(j->memory, "-I%.*s", slash ? (int)(slash - path) : 1,
                                              slash ? path : "."));
    pm_arguments_add(&j->arguments, "--expt-relaxed-constexpr");
    pm_arguments_add(&j->arguments, "--extended-lambda");
}

static void compile(job *j)
{
    const char *const words[] = {"-ptx", "-w", "-o", j->ptx, j->source};
    pm_subprocess_result result = {0};
    pm_status status;

    pm_arguments_add(&j->arguments, j->nvcc->path);
    pm_require(j->memory,
               pm_nvcc_options(j->workload->build_options, &j->arguments, j->memory->err));
    pm_arguments_add(&j->arguments, pm_format(j->memory, "-arch=compute_%u", j->nvcc->capability));
    if (j->is_whole)
        add_whole_options(j);
    if (j->nvcc->with_lines)
        pm_arguments_add(&j->arguments, "-lineinfo");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        pm_arguments_add(&j->arguments, words[i]);
    if (j->arguments.failed)
        pm_leave(j->memory, PM_FAILED, "%s: out of memory for options", j->workload->program);
    status = pm_nvcc_run(j->nvcc, j->arguments.items, &result, j->memory->err);
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
    pm_cuda_take_names(j->workload, j->nvcc->name, j->no_templates, j->code);
}

static pm_status run_job(job *j, pm_error *err)
{
    pm_status status = pm_attempt(j->memory, work, j, err);

    if (j->source)
        unlink(j->source);
    if (j->ptx)
        unlink(j->ptx);
    if (*j->folder)
        rmdir(j->folder);
    pm_text_free(&j->text);
    pm_arguments_free(&j->arguments);
    return status;
}

pm_status pm_nvcc_compile(const pm_nvcc *nvcc, const pm_workload *workload, pm_cuda_code *code,
                          pm_error *err)
{
    job j = {.nvcc = nvcc, .workload = workload, .code = code, .memory = &code->memory};

    return run_job(&j, err);
}

pm_status pm_nvcc_compile_whole(const pm_nvcc *nvcc, const pm_workload *workload, bool no_templates,
                                pm_cuda_code *code, pm_error *err)
{
    job j = {.nvcc = nvcc,
             .workload = workload,
             .code = code,
             .is_whole = true,
             .no_templates = no_templates,
             .memory = &code->memory};

    return run_job(&j, err);
}
