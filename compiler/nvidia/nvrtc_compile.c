/* Compiles the CUDA source of a workload with NVRTC. See cuda_compile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The workload's name of a kernel or a symbol, such as reduce<float, 256>, is an expression of the
 * source. NVRTC translates it to the mangled name in the compiled code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compiler/nvidia/cuda_compile.h"
#include "compiler/options/cuda_options.h"

typedef struct {
    const pm_nvrtc *nvrtc;
    const char *name; /* NVRTC's name in messages */
    const pm_workload *workload;
    pm_cuda_code *code;
    pm_memory *memory; /* memory that owns the result, the compiled code */
    pm_nvrtc_program program;
    pm_arguments options;
} job;

static void check(job *j, int result, const char *call)
{
    if (result != 0)
        pm_leave(j->memory, PM_FAILED, "%s of %s: %s (%d)", call, j->name,
                 j->nvrtc->error_string(result), result);
}

/* ---- headers ------------------------------------------------------------------------------- */

/* Returns whether a header is from the CUDA toolkit with NVRTC's major version. NVRTC may be unable
 * to read headers of another version. */
static bool is_right(job *j, const char *header)
{
    static const char wanted[] = "#define CUDART_VERSION";
    char line[256];
    FILE *file = fopen(header, "r");
    bool right = false;

    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, wanted, sizeof wanted - 1) == 0)
            right = atoi(line + sizeof wanted - 1) / 1000 == j->nvrtc->major;
    if (file)
        fclose(file);
    return right;
}

static bool add_headers(job *j, const char *folder, const char *below)
{
    char *option = pm_format(j->memory, "-I%s%s", folder, below);

    if (!is_right(j, pm_format(j->memory, "%s%s/cuda_runtime_api.h", folder, below)))
        return false;
    pm_arguments_add(&j->options, option);
    /* add the folder cccl, too, in which CUDA 13 has CUB and similar headers */
    pm_arguments_add(&j->options, pm_format(j->memory, "%s/cccl", option));
    return true;
}

/* Adds the header folders of the CUDA toolkit that contains the NVRTC library, or else of another
 * toolkit. Python packages of CUDA 12 have several header folders. */
static void find_headers(job *j)
{
    static const char *const below[] = {"/../include", "/../../include",
                                        "/../../cuda_runtime/include"};
    static const char *const toolkits[] = {"CUDA_HOME", "CUDA_PATH"};
    const char *slash = strrchr(j->nvrtc->path, '/');
    char *folder =
        pm_format(j->memory, "%.*s", slash ? (int)(slash - j->nvrtc->path) : 0, j->nvrtc->path);

    pm_arguments_add(&j->options, pm_format(j->memory, "-I%s/../../cuda_cccl/include", folder));
    for (size_t i = 0; slash && i < sizeof below / sizeof *below; i++)
        if (add_headers(j, folder, below[i]))
            return;
    for (size_t i = 0; i < sizeof toolkits / sizeof *toolkits; i++)
        if (getenv(toolkits[i]) && add_headers(j, getenv(toolkits[i]), "/include"))
            return;
    add_headers(j, "/usr/local/cuda", "/include");
}

/* ---- compiling ----------------------------------------------------------------------------- */

static void make_options(job *j)
{
    pm_require(j->memory, pm_nvcc_options(j->workload->build_options, &j->options, j->memory->err));
    pm_arguments_add(&j->options,
                     pm_format(j->memory, "-arch=%s_%u", j->nvrtc->machine_code ? "sm" : "compute",
                               j->nvrtc->capability));
    /* Add -default-device, which makes functions without a keyword device functions. This is
     * correct because host code was removed from the source. */
    pm_arguments_add(&j->options, "-default-device");
    if (j->nvrtc->with_lines)
        pm_arguments_add(&j->options, "-lineinfo");
    find_headers(j);
    if (j->options.failed)
        pm_leave(j->memory, PM_FAILED, "%s: out of memory for options", j->workload->program);
}

static char *symbol_expression(job *j, size_t i)
{
    return pm_format(j->memory, "&%s", j->workload->symbols[i].name);
}

static void add_names(job *j)
{
    const pm_workload *w = j->workload;

    for (size_t i = 0; i < w->launch_count; i++)
        check(j, j->nvrtc->add_name(j->program, w->launches[i].kernel), "nvrtcAddNameExpression");
    for (size_t i = 0; i < w->symbol_count; i++)
        check(j, j->nvrtc->add_name(j->program, symbol_expression(j, i)), "nvrtcAddNameExpression");
}

static _Noreturn void tell(job *j, int result)
{
    size_t size = 0;
    char *log;

    check(j, j->nvrtc->log_size(j->program, &size), "nvrtcGetProgramLogSize");
    log = pm_take(j->memory, size + 1, 1);
    check(j, j->nvrtc->log(j->program, log), "nvrtcGetProgramLog");
    if (!*log)
        check(j, result, "nvrtcCompileProgram");
    pm_cuda_tell(j->memory, j->workload, j->name, log);
}

static const char *lowered(job *j, const char *expression)
{
    const char *name = NULL;

    check(j, j->nvrtc->lowered(j->program, expression, &name), "nvrtcGetLoweredName");
    /* the name is copied, because NVRTC frees it with its program */
    return pm_copy(j->memory, name);
}

static void take_names(job *j)
{
    const pm_workload *w = j->workload;

    j->code->kernels = pm_take(j->memory, w->launch_count + 1, sizeof *j->code->kernels);
    j->code->symbols = pm_take(j->memory, w->symbol_count + 1, sizeof *j->code->symbols);
    for (size_t i = 0; i < w->launch_count; i++)
        j->code->kernels[i] = lowered(j, w->launches[i].kernel);
    for (size_t i = 0; i < w->symbol_count; i++)
        j->code->symbols[i] = lowered(j, symbol_expression(j, i));
}

static void take_code(job *j)
{
    size_t size = 0;

    check(j, j->nvrtc->ptx_size(j->program, &size), "nvrtcGetPTXSize");
    j->code->ptx = pm_take(j->memory, size + 1, 1);
    check(j, j->nvrtc->ptx(j->program, j->code->ptx), "nvrtcGetPTX");
    if (!j->nvrtc->machine_code)
        return;
    check(j, j->nvrtc->cubin_size(j->program, &size), "nvrtcGetCUBINSize");
    j->code->image = pm_take(j->memory, size + 1, 1);
    j->code->image_bytes = size;
    check(j, j->nvrtc->cubin(j->program, j->code->image), "nvrtcGetCUBIN");
}

static void work(void *user)
{
    job *j = user;
    char *text = pm_cuda_text(j->workload, j->memory);
    int result;

    make_options(j);
    check(j, j->nvrtc->create(&j->program, text, "source.cu", 0, NULL, NULL), "nvrtcCreateProgram");
    add_names(j);
    result =
        j->nvrtc->compile(j->program, (int)j->options.count, (const char *const *)j->options.items);
    if (result != 0)
        tell(j, result);
    take_names(j);
    take_code(j);
}

pm_status pm_nvrtc_compile(const pm_nvrtc *nvrtc, const char *name, const pm_workload *workload,
                           pm_cuda_code *code, pm_error *err)
{
    job j = {
        .nvrtc = nvrtc, .name = name, .workload = workload, .code = code, .memory = &code->memory};
    pm_status status = pm_attempt(j.memory, work, &j, err);

    if (j.program)
        nvrtc->destroy(&j.program);
    pm_arguments_free(&j.options);
    return status;
}
