/* Compiles CUDA sources to PTX for the trace engine. See cuda_ptx.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/nvidia/cuda_ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/identity.h"
#include "base/text.h"
#include "compiler/cuda_source/cuda_source.h"
#include "compiler/nvidia/cuda_compile.h"
#include "compiler/run_clang.h"
#include "program/build_words.h"

/* major version of CUDA; its NVRTC is searched before those of other versions */
enum { CUDA = 13 };

typedef struct {
    pm_compiler *compiler;
    const pm_workload *workload;
    unsigned capability;
    pm_cuda_code code;
    pm_cuda_ptx *ptx;
} job; /* functions that take a job need an `err` that is not NULL */

/* ---- compiling ------------------------------------------------------------------------------- */

static bool includes_files(const char *options)
{
    char *word = malloc(strlen(options) + 1);
    pm_build_word found;
    bool includes = false;

    while (word && pm_build_word_next(&options, word, &found))
        includes = includes || found.kind == PM_WORD_FILE;
    free(word);
    return includes;
}

static bool launches_templates(const pm_workload *w)
{
    for (size_t l = 0; l < w->launch_count; l++)
        if (strchr(w->launches[l].kernel, '<'))
            return true;
    return false;
}

/* Compiles the source with its host code. If this fails, compiles again without the names of
 * template instances, because these names may contain types that the workload could not write
 * correctly. err keeps the error of the first attempt. */
static pm_status compile_whole(job *j, const pm_nvcc *nvcc, pm_error *err)
{
    const pm_workload *w = j->workload;
    pm_error second = {0};
    pm_status status = pm_nvcc_compile_whole(nvcc, w, false, &j->code, err);

    if (status != PM_BAD_INPUT || !launches_templates(w))
        return status;
    pm_cuda_code_free(&j->code);
    return pm_nvcc_compile_whole(nvcc, w, true, &j->code, &second) == PM_OK ? PM_OK : status;
}

/* Compiles with nvcc: first the whole source, then only its device code if nvcc refuses the host
 * code. If there is a build option -include FILE, only device code is compiled, because FILE is
 * another translation unit of the program, and pm_cuda_source gives its internal names a prefix. */
static pm_status compile_with_nvcc(job *j, pm_error *err)
{
    const pm_workload *w = j->workload;
    pm_error second = {0};
    pm_status status;
    pm_nvcc nvcc;

    if (pm_nvcc_find(&nvcc, j->capability, pm_compiler_limits_of(j->compiler), err) != PM_OK)
        return PM_FAILED;
    nvcc.with_lines = true;
    snprintf(j->ptx->compiler, sizeof j->ptx->compiler, "%s", nvcc.name);
    if (includes_files(w->build_options ? w->build_options : ""))
        return pm_nvcc_compile(&nvcc, w, &j->code, err);
    status = compile_whole(j, &nvcc, err);
    if (status != PM_BAD_INPUT)
        return status;
    pm_cuda_code_free(&j->code);
    /* if this fails, too, err keeps the first error, which the user's own nvcc would report */
    return pm_nvcc_compile(&nvcc, w, &j->code, &second) == PM_OK ? PM_OK : PM_BAD_INPUT;
}

static pm_status compile_with_nvrtc(job *j, pm_error *err)
{
    pm_nvrtc nvrtc;
    pm_status status = pm_nvrtc_open(&nvrtc, j->capability, CUDA, err);

    if (status != PM_OK)
        return status;
    snprintf(j->ptx->compiler, sizeof j->ptx->compiler, "NVRTC %d.%d", nvrtc.major, nvrtc.minor);
    nvrtc.machine_code = false;
    nvrtc.with_lines = true;
    status = pm_nvrtc_compile(&nvrtc, j->ptx->compiler, j->workload, &j->code, err);
    pm_nvrtc_close(&nvrtc);
    return status;
}

/* Returns whether an earlier launch has the same kernel. */
static bool is_named_before(const job *j, size_t launch)
{
    for (size_t l = 0; l < launch; l++)
        if (j->code.kernels[l] == j->code.kernels[launch])
            return true;
    return false;
}

/* Appends two variables per kernel to the PTX: a pointer to the kernel, and a text with the
 * kernel's name in the workload. pm_ptx_describe reads them. */
static pm_status name_kernels(job *j, pm_error *err)
{
    const pm_workload *w = j->workload;
    pm_text text = {0};

    pm_text_add(&text, "%s\n", j->code.ptx);
    for (size_t l = 0; l < w->launch_count; l++) {
        const char *name = w->launches[l].kernel;

        if (!j->code.kernels[l] || is_named_before(j, l))
            continue;
        pm_text_add(&text, ".global .u64 pm_kernel_%zu = %s;\n", l, j->code.kernels[l]);
        pm_text_add(&text, ".global .b8 pm_kernel_name_%zu[%zu] = {", l, strlen(name));
        for (const char *at = name; *at; at++)
            pm_text_add(&text, "%s%d", at > name ? ", " : "", (unsigned char)*at);
        pm_text_add(&text, "};\n");
    }
    j->ptx->text = pm_text_take(&text);
    return j->ptx->text ? PM_OK : pm_fail(err, PM_FAILED, "%s: out of memory", w->program);
}

static pm_status compile(job *j, pm_error *err)
{
    char path[PATH_MAX];
    pm_status status =
        pm_nvcc_search(path) ? compile_with_nvcc(j, err) : compile_with_nvrtc(j, err);

    if (status == PM_OK)
        status = name_kernels(j, err);
    pm_cuda_code_free(&j->code);
    return status;
}

bool pm_cuda_ptx_has_compiler(void)
{
    enum { COMMON = 75 }; /* a compute capability that all NVRTCs since CUDA 11 support */
    char path[PATH_MAX];
    pm_nvrtc nvrtc;

    if (pm_nvcc_search(path))
        return true;
    if (pm_nvrtc_open(&nvrtc, COMMON, CUDA, NULL) != PM_OK)
        return false;
    pm_nvrtc_close(&nvrtc);
    return true;
}

/* ---- the cache ------------------------------------------------------------------------------- */

void pm_cuda_ptx_key(pm_wire *key)
{
    static const char *const variables[] = {"PERFMODEL_NVRTC", "CUDA_HOME", "CUDA_PATH",
                                            "VIRTUAL_ENV", "CONDA_PREFIX"};
    char path[PATH_MAX];
    bool found = pm_nvcc_search(path);

    pm_wire_flag(key, &found);
    if (found) {
        pm_identity_file(key, path);
        return;
    }
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        pm_wire_text(key, &(char *){getenv(variables[i])});
}

/* Makes the key under which the PTX is cached. The key includes the text that pm_cuda_source makes,
 * and so the contents of the source and of the user's headers. Returns false if the source cannot
 * be read. */
static bool make_key(const job *j, pm_cache_key *made)
{
    const pm_workload *w = j->workload;
    const pm_cuda_request request = {.text = w->source,
                                     .path = w->source_path,
                                     .build_options = w->build_options,
                                     .toolkit = true};
    pm_wire key = PM_WIRE_WRITER;
    unsigned capability = j->capability;
    char *text = NULL;
    const bool known = pm_cuda_source(&request, &text, NULL) == PM_OK;

    pm_wire_name(&key, &(char *){(char[]){"PTX of NVIDIA's compiler"}});
    pm_cuda_ptx_key(&key);
    PM_WIRE_NUMBER(&key, capability);
    pm_wire_text(&key, &(char *){w->build_options});
    pm_wire_text(&key, &(char *){w->source_path});
    pm_wire_text(&key, &(char *){w->source});
    pm_wire_text(&key, &text);
    for (size_t l = 0; l < w->launch_count; l++)
        pm_wire_text(&key, &(char *){w->launches[l].kernel});
    for (size_t s = 0; s < w->symbol_count; s++)
        pm_wire_text(&key, &(char *){(char *)(uintptr_t)w->symbols[s].name});
    *made = pm_cache_key_of(PM_CACHE_BITCODE, &key);
    pm_wire_free(&key);
    free(text);
    return known;
}

/* Reads a cache entry. Its `output` is the PTX, and its `messages` are the compiler's name. If the
 * output is empty, the source does not compile, and `messages` is the error. */
static pm_status take_entry(job *j, pm_subprocess_result *entry, pm_error *err)
{
    if (entry->output_bytes == 0)
        return pm_fail(err, PM_BAD_INPUT, "%s", entry->messages);
    snprintf(j->ptx->compiler, sizeof j->ptx->compiler, "%s", entry->messages);
    j->ptx->text = entry->output;
    entry->output = NULL;
    return PM_OK;
}

pm_status pm_cuda_ptx_compile(pm_compiler *compiler, const pm_workload *workload,
                              unsigned capability, pm_cuda_ptx *ptx, pm_error *err)
{
    job j = {.compiler = compiler, .workload = workload, .capability = capability, .ptx = ptx};
    pm_compiled *compiled = pm_compiler_compiled(compiler);
    pm_subprocess_result entry = {0};
    pm_cache_key key;
    const bool known = make_key(&j, &key);
    pm_error why = {0};
    pm_status status;

    *ptx = (pm_cuda_ptx){.text = NULL};
    if (known && pm_compiled_find(compiled, &key, &entry)) {
        status = take_entry(&j, &entry, err);
        pm_subprocess_free(&entry);
        return status;
    }
    status = compile(&j, &why);
    if (status != PM_OK)
        pm_fail(err, status, "%s", why.text);
    if (known && (status == PM_OK || status == PM_BAD_INPUT)) {
        entry.output = ptx->text ? ptx->text : (char[]){""};
        entry.output_bytes = strlen(entry.output);
        entry.messages = status == PM_OK ? ptx->compiler : why.text;
        pm_compiled_keep(compiled, &key, &entry);
    }
    return status;
}
