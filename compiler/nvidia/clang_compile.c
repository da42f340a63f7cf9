/* Compiles the CUDA source of a workload to PTX for a GPU with clang. See cuda_compile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The source is compiled to bitcode as for the trace engine. Then clang compiles the bitcode to
 * PTX.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/subprocess.h"
#include "compiler/cuda_source/cuda_source.h"
#include "compiler/nvidia/cuda_compile.h"

enum { MOST_PTX = 64 << 20, MOST_MESSAGES = 1 << 16 };

typedef struct {
    pm_compiler *clang;
    unsigned capability;
    const pm_workload *workload;
    pm_cuda_code *code;
    pm_memory *memory; /* memory of the result `code`; freed with it */
    pm_text text;
    char *source, *bitcode; /* allocated with malloc; pm_clang_compile frees them */
    size_t bytes;
    pm_subprocess_result result;
} job;

static void make_bitcode(job *j)
{
    const pm_workload *w = j->workload;
    const pm_cuda_request request = {
        .text = w->source, .path = w->source_path, .build_options = w->build_options};

    pm_require(j->memory, pm_cuda_source(&request, &j->source, j->memory->err));
    pm_text_add(&j->text, "%s", j->source);
    pm_cuda_add_names(w, pm_format(j->memory, "%s: a launch's kernel, or a symbol", w->source_path),
                      false, &j->text);
    if (j->text.failed)
        pm_leave(j->memory, PM_FAILED, "%s: out of memory", w->program);
    pm_require(j->memory,
               pm_compile(j->clang, pm_text_get(&j->text), w->source_path, w->build_options,
                          &j->bitcode, &j->bytes, NULL, j->memory->err));
}

/* Returns the highest compute capability that clang supports and that is not above the GPU's (90
 * means 9.0). PTX for this capability also runs on all later GPUs. */
static unsigned known(unsigned capability)
{
    static const unsigned capabilities[] = {60, 61, 70, 75, 80, 86, 89, 90};
    unsigned closest = capabilities[0];

    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        if (capabilities[i] <= capability)
            closest = capabilities[i];
    return closest;
}

static void run(job *j)
{
    const pm_compiler_limits *limits = pm_compiler_limits_of(j->clang);
    const pm_subprocess_request request = {.input = j->bitcode,
                                           .input_bytes = j->bytes,
                                           .output_limit = MOST_PTX,
                                           .messages_limit = MOST_MESSAGES,
                                           .seconds_limit = limits->seconds,
                                           .memory_limit = limits->memory_bytes,
                                           .cancel = limits->cancel};
    char cpu[16], *argv[] = {NULL,
                             (char[]){"-x"},
                             (char[]){"ir"},
                             (char[]){"-S"},
                             (char[]){"-O3"},
                             (char[]){"--target=nvptx64-nvidia-cuda"},
                             (char[]){"-Xclang"},
                             (char[]){"-target-cpu"},
                             (char[]){"-Xclang"},
                             cpu,
                             (char[]){"-Xclang"},
                             (char[]){"-target-feature"},
                             (char[]){"-Xclang"},
                             (char[]){"+ptx78"},
                             (char[]){"-o"},
                             (char[]){"-"},
                             (char[]){"-"},
                             NULL};
    int code;

    snprintf(cpu, sizeof cpu, "sm_%u", known(j->capability));
    pm_require(j->memory, pm_compiler_program(j->clang, &argv[0], j->memory->err));
    code = pm_subprocess_run(argv, &request, &j->result);
    if (code != 0)
        pm_leave(j->memory, PM_FAILED, "%.400s: %s", argv[0], strerror(code));
    if (j->result.cancelled)
        pm_leave(j->memory, PM_FAILED, "interrupted");
    if (j->result.exit_code != 0 || j->result.too_slow || j->result.too_much)
        pm_leave(j->memory, PM_FAILED, "%s: clang makes no PTX of it for sm_%u: %.*s",
                 j->workload->source_path, known(j->capability),
                 (int)strcspn(j->result.messages, "\n"), j->result.messages);
}

static void work(void *user)
{
    job *j = user;

    make_bitcode(j);
    run(j);
    j->code->ptx = pm_copy(j->memory, j->result.output);
    pm_cuda_take_names(j->workload, "clang", false, j->code);
}

pm_status pm_clang_compile(pm_compiler *clang, unsigned capability, const pm_workload *workload,
                           pm_cuda_code *code, pm_error *err)
{
    job j = {.clang = clang,
             .capability = capability,
             .workload = workload,
             .code = code,
             .memory = &code->memory};
    pm_status status = pm_attempt(j.memory, work, &j, err);

    pm_subprocess_free(&j.result);
    pm_text_free(&j.text);
    free(j.source);
    free(j.bitcode);
    return status;
}
