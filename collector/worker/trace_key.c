/* Computes the cache key under which the trace engine's counts of a workload are stored.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gnu/libc-version.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/identity.h"
#include "base/paths.h"
#include "collector/worker/messages.h"
#include "collector/worker/process.h"
#include "collector/worker/trace_parts.h"
#include "compiler/amd/amd_code.h"
#include "compiler/clang_key.h"
#include "compiler/compiled.h"
#include "compiler/cuda_source/cuda_bitcode.h"
#include "compiler/language.h"
#include "compiler/nvidia/cuda_ptx.h"
#include "compiler/run_clang.h"
#include "program/contents/fill.h"

/* ---- the workload ---------------------------------------------------------------------------- */

static void write_contents(pm_wire *key, const pm_workload *workload, size_t number)
{
    const pm_buffer *buffer = &workload->buffers[number];
    const pm_fills *rules = pm_workload_rules(workload, number);
    bool given = buffer->initial != NULL, computed = rules != NULL;
    pm_digest digest = {0};

    pm_wire_flag(key, &computed);
    if (computed)
        pm_fills_put(key, rules);
    else if (given)
        digest = pm_digest_of(buffer->initial, buffer->bytes);
    pm_wire_flag(key, &given);
    PM_WIRE_NUMBER(key, digest);
}

/* Adds to the key the digests of the expected outputs, which the workload's reference
 * implementation computed if it was run. The workload's results are compared with these outputs. If
 * the workload was transformed from another one, also adds the digests of the original workload. */
static void write_expected(pm_wire *key, const pm_workload *workload)
{
    for (; workload; workload = workload->original) {
        const pm_workload *reference = workload->expected ? workload->reference : NULL;

        for (size_t i = 0; reference && i < reference->buffer_count; i++)
            if (workload->expected[i]) {
                pm_digest digest = pm_digest_of(workload->expected[i], reference->buffers[i].bytes);

                PM_WIRE_NUMBER(key, i);
                PM_WIRE_NUMBER(key, digest);
            }
    }
}

/* Adds to the key the message that describes the workload to the worker, with digests in place of
 * the contents of buffers. */
static void write_workload(pm_wire *key, const pm_workload *workload)
{
    pm_workload copy = *workload;
    bool checked = workload->check != NULL;
    size_t no_files = 0;

    copy.buffers = calloc(workload->buffer_count + 1, sizeof *copy.buffers);
    key->failed |= !copy.buffers;
    for (size_t i = 0; copy.buffers && i < workload->buffer_count; i++) {
        copy.buffers[i] = workload->buffers[i];
        copy.buffers[i].initial = NULL;
        write_contents(key, workload, i);
    }
    if (copy.buffers)
        pm_wire_workload(key, &copy, NULL, &no_files);
    free(copy.buffers);
    /* these three names are in the key, because the check of the results may use them */
    pm_wire_text(key, &copy.variant);
    pm_wire_text(key, &copy.size);
    pm_wire_text(key, &copy.origin);
    pm_wire_flag(key, &checked);
    PM_WIRE_NUMBER(key, copy.salt);
    PM_WIRE_NUMBER(key, copy.check_files);
    write_expected(key, workload);
}

/* ---- the code -------------------------------------------------------------------------------- */

/* Adds to the key the text that clang compiles for a CUDA source: with headers, without host code.
 * Returns false if the compiled code may depend on something that is not in the key. */
static bool write_cuda(const trace_executor *self, const pm_workload *w, pm_wire *key,
                       const pm_log *log)
{
    const char **kernels = calloc(w->launch_count + 1, sizeof *kernels);
    const pm_cuda_request request = {.text = w->source,
                                     .path = w->source_path,
                                     .build_options = w->build_options,
                                     .kernels = kernels,
                                     .kernel_count = w->launch_count};
    pm_cuda_choice choice = pm_worker_cuda(self->worker);
    char *text = NULL;
    pm_error unread = {0};
    bool known;

    for (size_t i = 0; kernels && i < w->launch_count; i++)
        kernels[i] = w->launches[i].kernel;
    PM_WIRE_NUMBER(key, choice);
    if (choice != PM_CUDA_CLANG)
        pm_cuda_ptx_key(key);
    known = kernels && pm_cuda_source(&request, &text, &unread) == PM_OK &&
            pm_compile_key(pm_worker_compiler(self->worker), text, w->source_path, w->build_options,
                           key, log);
    free(text);
    free(kernels);
    return known;
}

static bool write_code(const trace_executor *self, const pm_workload *w, pm_wire *key,
                       const pm_log *log)
{
    pm_compiler *compiler = pm_worker_compiler(self->worker);

    pm_wire_text(key, &(char *){w->build_options});
    if (pm_language_of(w->source_path) == PM_LANGUAGE_PTX) {
        pm_wire_name(key, &(char *){w->source});
        return true;
    }
    if (pm_language_of(w->source_path) == PM_LANGUAGE_CUDA)
        return write_cuda(self, w, key, log);
    return pm_compile_key(compiler, w->source, w->source_path, w->build_options, key, log) &&
           (!*self->gpu.llvm_processor ||
            pm_amd_key(compiler, w->source, w->source_path, w->build_options,
                       self->gpu.llvm_processor, key));
}

/* ---- the engine ------------------------------------------------------------------------------ */

/* Adds this machine's CPU model and features to the key. Kernels are compiled for this CPU. The
 * compiler may use fused multiply-adds for other sums on another CPU, which changes results. */
static void write_cpu(pm_wire *key)
{
    static const char *const names[] = {"model name", "flags", "Features", "CPU implementer",
                                        "CPU part"};
    char line[8192], *text = line;
    FILE *file = fopen("/proc/cpuinfo", "re");

    while (file && fgets(line, sizeof line, file) && *line != '\n')
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strncmp(line, names[i], strlen(names[i])) == 0)
                pm_wire_name(key, &text);
    if (file)
        fclose(file);
}

/* Adds to the key the identities of the programs and libraries that count, and the table of
 * instruction costs (instructions.ini). Returns false if a program or a file is missing. */
static bool write_programs(const trace_executor *self, pm_wire *key)
{
    char path[PATH_MAX], *text = NULL, *libc = (char *)(uintptr_t)gnu_get_libc_version();
    pm_compiler *compiler = pm_worker_compiler(self->worker);
    pm_digest libraries = pm_compiled_libraries(pm_compiler_compiled(compiler));
    pm_ptxas ptxas = self->ptxas;
    pm_error unread = {0};
    bool assembles = self->assembles;

    if (pm_worker_program(path, sizeof path, &unread) != PM_OK)
        return false;
    pm_identity_file(key, path);
    PM_WIRE_NUMBER(key, libraries);
    pm_wire_name(key, &libc);
    pm_wire_flag(key, &assembles);
    if (assembles) {
        pm_identity_file(key, ptxas.program);
        pm_wire_chars(key, ptxas.version, sizeof ptxas.version);
        pm_identity_file(key, self->nvdisasm.program);
    }
    if (pm_share_path("instructions.ini", path, sizeof path, &unread) != PM_OK ||
        pm_file_read(path, 16 << 20, "a table", &text, &unread) != PM_OK)
        return false;
    pm_wire_name(key, &text);
    free(text);
    return true;
}

/* Adds the GPU's properties to the cache key. results: true if the key is for the results of a run,
 * which on NVIDIA GPUs depend only on the warp width. */
static void write_gpu(const trace_executor *self, bool results, pm_wire *key)
{
    pm_gpu gpu = self->gpu;
    bool any_nvidia = results && pm_gpu_capability(&gpu) > 0;

    pm_wire_flag(key, &any_nvidia);
    if (any_nvidia)
        PM_WIRE_NUMBER(key, gpu.warp_width);
    else
        PM_WIRE_NUMBER(key, gpu);
}

static void write_options(const trace_executor *self, pm_wire *key)
{
    const pm_trace_engine_options *o = &self->options;
    bool as_written = o->as_written, quick = o->quick;
    double sample = o->sample, step_limit = o->step_limit;
    unsigned long long seed = o->seed;
    /* The worker's limits of time and memory are in the key, because a count may fail at a
     * limit. */
    pm_worker_limits limits = *self->process->limits;

    PM_WIRE_NUMBER(key, limits.memory_bytes);
    PM_WIRE_NUMBER(key, limits.source_seconds);
    PM_WIRE_NUMBER(key, limits.run_seconds);
    PM_WIRE_NUMBER(key, sample);
    PM_WIRE_NUMBER(key, step_limit);
    PM_WIRE_NUMBER(key, seed);
    pm_wire_flag(key, &as_written);
    pm_wire_flag(key, &quick);
}

static bool write_key(const pm_executor *executor, const pm_workload *workload, bool results,
                      pm_wire *key, const pm_log *log)
{
    const trace_executor *self = (const trace_executor *)executor;

    write_gpu(self, results, key);
    write_options(self, key);
    write_workload(key, workload);
    write_cpu(key);
    return write_programs(self, key) && write_code(self, workload, key, log) && !key->failed;
}

bool pm_executor_trace_key(const pm_executor *executor, const pm_workload *workload, pm_wire *key,
                           const pm_log *log)
{
    return write_key(executor, workload, false, key, log);
}

bool pm_executor_trace_results_key(const pm_executor *executor, const pm_workload *workload,
                                   pm_wire *key, const pm_log *log)
{
    return write_key(executor, workload, true, key, log);
}

/* ---- the cache ------------------------------------------------------------------------------- */

bool pm_executor_trace_is_final(const pm_executor *executor)
{
    return !((const trace_executor *)executor)->failed;
}

pm_cache *pm_executor_trace_cache(const pm_executor *executor)
{
    const trace_executor *self = (const trace_executor *)executor;

    return pm_compiler_limits_of(pm_worker_compiler(self->worker))->cache;
}
