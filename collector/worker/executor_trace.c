/* Executor whose runs and counts are done by the trace engine in a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/executor_trace.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strings.h"
#include "collector/worker/counters_of.h"
#include "collector/worker/messages.h"
#include "collector/worker/ptx_source.h"
#include "collector/worker/trace_parts.h"
#include "compiler/language.h"
#include "compiler/ptx/lex.h"
#include "program/build_words.h"

/* ---- requests ------------------------------------------------------------------------------ */

static pm_status ask_simply(trace_executor *self, pm_request kind,
                            void (*read)(pm_wire *reply, void *result), void *result, pm_error *err)
{
    pm_worker_call call = {.kind = kind, .read = read, .result = result};
    pm_wire body = PM_WIRE_WRITER;

    PM_WIRE_NUMBER(&body, self->number);
    return pm_trace_ask_loaded(self, &call, &body, err);
}

/* ---- request LOAD -------------------------------------------------------------------------- */

static void read_number(pm_wire *reply, void *result)
{
    pm_wire_raw(reply, result, sizeof(uint64_t));
}

/* Returns whether code is PTX text and not LLVM's bitcode. */
static bool is_ptx(const char *code, size_t bytes)
{
    return bytes < 2 || memcmp(code, "BC", 2) != 0;
}

static pm_status send_load(trace_executor *self, const char *bitcode, size_t bytes, int *files,
                           pm_error *err)
{
    pm_worker_call call = {.kind = PM_REQUEST_TRACE_LOAD,
                           .files = files,
                           .read = read_number,
                           .result = &self->number};
    pm_workload workload = *self->workload;
    bool as_written = self->options.as_written, quick = self->options.quick;
    bool all_restrict = pm_restrict_option(workload.build_options);
    bool marks = self->assembles && self->is_ptx;
    unsigned register_option = pm_register_option(workload.build_options);
    pm_wire body = PM_WIRE_WRITER;
    char costs[PATH_MAX];

    if (pm_share_path("instructions.ini", costs, sizeof costs, err) != PM_OK)
        return err->status;
    PM_WIRE_NUMBER(&body, self->gpu);
    pm_wire_chars(&body, costs, sizeof costs);
    PM_WIRE_NUMBER(&body, self->options.sample);
    PM_WIRE_NUMBER(&body, self->options.step_limit);
    PM_WIRE_NUMBER(&body, self->options.seed);
    PM_WIRE_NUMBER(&body, self->options.threads);
    pm_wire_flag(&body, &as_written);
    pm_wire_flag(&body, &quick);
    PM_WIRE_NUMBER(&body, register_option);
    pm_wire_flag(&body, &all_restrict);
    pm_wire_flag(&body, &marks);
    pm_wire_workload(&body, &workload, files, &call.file_count);
    pm_wire_bytes(&body, bitcode, &bytes);
    return pm_trace_ask(self, &call, &body, err);
}

/* ---- loading ------------------------------------------------------------------------------- */

/* Copies a workload's PTX, which the worker process translates itself. */
static pm_status take_ptx(const pm_workload *w, char **text, size_t *bytes, pm_error *err)
{
    *bytes = strlen(w->source);
    *text = strdup(w->source);
    return *text ? PM_OK : pm_fail(err, PM_FAILED, "%s: out of memory", w->program);
}

static pm_status compile(const trace_executor *self, char **bitcode, size_t *bytes, pm_error *err)
{
    const pm_workload *w = self->workload;

    if (pm_ptx_source_check_name(w->source, w->source_path, err) != PM_OK)
        return err->status;
    if (pm_language_of(w->source_path) == PM_LANGUAGE_PTX)
        return take_ptx(w, bitcode, bytes, err);
    if (pm_language_of(w->source_path) == PM_LANGUAGE_CUDA)
        return pm_trace_compile_cuda(self, bitcode, bytes, err);
    return pm_compile(pm_worker_compiler(self->worker), w->source, w->source_path, w->build_options,
                      bitcode, bytes, &self->base.log, err);
}

static void forget_ahead(trace_executor *self)
{
    free(self->bitcode);
    self->bitcode = NULL;
    self->ahead = NULL;
}

/* Sets *bitcode to the workload's bitcode. If the workload was compiled before this load
 * (self->ahead), that result is used; otherwise the workload is compiled now. The caller frees
 * *bitcode. */
static pm_status take_compiled(trace_executor *self, char **bitcode, size_t *bytes, pm_error *err)
{
    if (self->ahead != self->workload) {
        forget_ahead(self);
        return compile(self, bitcode, bytes, err);
    }
    *bitcode = self->bitcode;
    *bytes = self->bitcode_bytes;
    self->bitcode = NULL;
    forget_ahead(self);
    return PM_OK;
}

pm_status pm_executor_trace_compile(pm_executor *executor, const pm_workload *workload,
                                    uint64_t *code, pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;
    pm_status status;

    executor->type->unload(executor);
    forget_ahead(self);
    self->workload = workload;
    status = compile(self, &self->bitcode, &self->bitcode_bytes, err);
    self->workload = NULL;
    if (status != PM_OK)
        return pm_trace_name_origin(workload, status, err);
    self->ahead = workload;
    *code = pm_hash_bytes(self->bitcode, self->bitcode_bytes);
    return PM_OK;
}

pm_status pm_executor_trace_take(pm_executor *executor, const pm_executor *compiled, pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;
    const trace_executor *from = (const trace_executor *)compiled;

    executor->type->unload(executor);
    forget_ahead(self);
    if (!from->ahead || !pm_trace_compiles_alike(self, from))
        return PM_OK; /* no error, because executor->load then compiles the workload */
    self->bitcode = malloc(from->bitcode_bytes);
    if (!self->bitcode)
        return pm_fail(err, PM_FAILED, "%s: out of memory", from->ahead->program);
    memcpy(self->bitcode, from->bitcode, from->bitcode_bytes);
    self->bitcode_bytes = from->bitcode_bytes;
    self->ahead = from->ahead;
    return PM_OK;
}

/* Logs a notice if the build options limit registers but the GPU is not NVIDIA's, because only
 * NVIDIA's compilers support this limit. */
static void tell_idle_option(const trace_executor *self)
{
    const unsigned limit = pm_register_option(self->workload->build_options);
    char line[300];

    if (limit == 0 || pm_gpu_capability(&self->gpu) > 0)
        return;
    snprintf(line, sizeof line,
             "build option -%s=%u has no effect on %.64s: it is for NVIDIA's compilers",
             pm_is_cuda_launched(self->workload->source_path) ? "maxrregcount"
                                                              : "cl-nv-maxrregcount",
             limit, self->gpu.device);
    pm_compiler_tell_once(pm_worker_compiler(self->worker), &self->base.log, line);
}

/* Compiles the workload with NVIDIA's compiler and sends it, after the trace engine has refused
 * clang's code, for example because of inline assembly. err: the engine's error, which stays if the
 * engine refuses the other code, too. */
static pm_status send_load_nvidia(trace_executor *self, char **bitcode, size_t *bytes, int *files,
                                  pm_error *err)
{
    pm_error refused = err ? *err : (pm_error){0}, ignored = {0};
    char *ptx = NULL;
    size_t ptx_bytes = 0;

    if (pm_language_of(self->workload->source_path) != PM_LANGUAGE_CUDA ||
        pm_ptx_is_text(*bitcode) || !pm_trace_may_ask_nvidia(self) ||
        pm_trace_compile_nvidia(self, &refused, &ptx, &ptx_bytes, NULL) != PM_OK)
        return PM_BAD_INPUT;
    free(*bitcode);
    *bitcode = ptx;
    *bytes = ptx_bytes;
    if (send_load(self, ptx, ptx_bytes, files, &ignored) != PM_OK)
        return ignored.status == PM_BAD_INPUT ? PM_BAD_INPUT
                                              : pm_fail(err, ignored.status, "%s", ignored.text);
    if (err)
        *err = (pm_error){0};
    return PM_OK;
}

static pm_status load_estimated(trace_executor *self, pm_error *err)
{
    const pm_workload *w = self->workload;
    char *bitcode = NULL;
    size_t bytes = 0;
    int *files = calloc(w->buffer_count + 1, sizeof *files);
    pm_status status = files ? PM_OK : pm_fail(err, PM_FAILED, "%s: out of memory", w->program);

    /* start the worker process before compiling, so that it initialises while clang compiles */
    if (status == PM_OK)
        status = pm_process_start(self->process, err);
    if (status == PM_OK)
        status = take_compiled(self, &bitcode, &bytes, err);
    self->generation = 0;
    self->is_ptx = status == PM_OK && is_ptx(bitcode, bytes);
    if (status == PM_OK)
        status = send_load(self, bitcode, bytes, files, err);
    if (status == PM_BAD_INPUT && bitcode)
        status = send_load_nvidia(self, &bitcode, &bytes, files, err);
    free(files);
    free(bitcode);
    return pm_trace_name_origin(w, status, err);
}

static pm_status load(trace_executor *self, pm_error *err)
{
    pm_status status = load_estimated(self, err);

    if (status == PM_OK)
        tell_idle_option(self);
    if (status == PM_OK && pm_trace_asks_amd(self))
        return pm_trace_ask_amd(self, err);
    /* AMD's compiler is run only for OpenCL C. If an AMD GPU runs another language, registers stay
     * estimates. */
    self->estimated |= *self->back_end != '\0';
    if (status != PM_OK || !self->assembles || self->estimated)
        return status;
    if (!self->is_ptx && pm_is_cuda_launched(self->workload->source_path)) {
        pm_notice(&self->base.log,
                  "%s: ptxas is asked about OpenCL C and PTX alone; registers are estimated",
                  self->workload->source_path);
        self->estimated = true;
        return PM_OK;
    }
    status = pm_trace_assemble(self, err);
    /* pm_trace_assemble sets generation to 0 if LLVM's back end has crashed the worker process.
     * Load the workload again; its registers are estimates. */
    if (status == PM_OK && self->generation == 0)
        status = load_estimated(self, err);
    return status;
}

static void trace_unload(pm_executor *executor)
{
    trace_executor *self = (trace_executor *)executor;

    if (self->workload && self->generation != 0)
        ask_simply(self, PM_REQUEST_TRACE_UNLOAD, NULL, NULL, NULL);
    self->workload = NULL;
    self->generation = 0;
}

static pm_status trace_load(pm_executor *executor, const pm_workload *workload, pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;
    pm_status status;

    trace_unload(executor);
    self->workload = workload;
    self->complete = self->estimated = self->failed = false;
    status = load(self, err);
    if (status != PM_OK)
        trace_unload(executor);
    return status;
}

/* Loads the workload again if the worker process that had loaded it has ended because of another
 * request. */
static pm_status load_again(trace_executor *self, pm_error *err)
{
    self->complete = false;
    if (self->generation != 0 && pm_process_has(self->process, self->generation))
        return PM_OK;
    return load(self, err);
}

/* ---- run ----------------------------------------------------------------------------------- */

/* Result of running or counting one pass over the workload's launches (each launch once). */
typedef struct {
    bool complete;
    size_t bytes;
    void *each; /* an array with one element for each launch: seconds, or a pm_counted_launch */
} pass;

static void read_pass(pm_wire *reply, void *result)
{
    pass *p = result;

    pm_wire_flag(reply, &p->complete);
    pm_wire_raw(reply, p->each, p->bytes);
}

/* Runs one pass over the workload's launches (each launch once) in the worker process, with or
 * without counting. *each becomes an array with `bytes` bytes per launch, which the caller
 * frees. */
static pm_status run_pass(trace_executor *self, pm_request kind, size_t bytes, void **each,
                          pm_error *err)
{
    size_t launches = self->workload->launch_count;
    pass p = {.bytes = launches * bytes, .each = calloc(launches + 1, bytes)};
    pm_status status = p.each
                           ? load_again(self, err)
                           : pm_fail(err, PM_FAILED, "%s: out of memory", self->workload->program);

    if (status == PM_OK)
        status = ask_simply(self, kind, read_pass, &p, err);
    self->complete = status == PM_OK && p.complete;
    *each = p.each;
    return status;
}

static pm_status trace_run(pm_executor *executor, double *seconds, pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;
    void *each;
    pm_status status = run_pass(self, PM_REQUEST_TRACE_RUN, sizeof *seconds, &each, err);

    if (status == PM_OK && seconds)
        memcpy(seconds, each, self->workload->launch_count * sizeof *seconds);
    free(each);
    return status;
}

typedef struct {
    uint8_t *to;
    size_t bytes;
} piece;

static void read_piece(pm_wire *reply, void *result)
{
    const piece *p = result;

    pm_wire_raw(reply, p->to, p->bytes);
}

static pm_status trace_read(pm_executor *executor, size_t buffer, void *dst, pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;
    size_t bytes = self->workload->buffers[buffer].bytes;
    pm_status status = PM_OK;

    for (size_t at = 0; status == PM_OK && at < bytes; at += PM_READ_BYTES) {
        piece p = {.to = (uint8_t *)dst + at,
                   .bytes = bytes - at < PM_READ_BYTES ? bytes - at : PM_READ_BYTES};
        pm_worker_call call = {.kind = PM_REQUEST_TRACE_READ, .read = read_piece, .result = &p};
        pm_wire body = PM_WIRE_WRITER;

        PM_WIRE_NUMBER(&body, self->number);
        PM_WIRE_NUMBER(&body, buffer);
        PM_WIRE_NUMBER(&body, at);
        PM_WIRE_NUMBER(&body, p.bytes);
        status = pm_trace_ask_loaded(self, &call, &body, err);
    }
    return status;
}

static bool trace_complete(const pm_executor *executor)
{
    return ((const trace_executor *)executor)->complete;
}

/* ---- count --------------------------------------------------------------------------------- */

static pm_status trace_count(pm_executor *executor, double *values, double *errors, pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;
    size_t counters = pm_counter_table_size(self->table);
    void *each = NULL;
    pm_status status = load_again(self, err);

    if (status == PM_OK)
        status = run_pass(self, PM_REQUEST_TRACE_COUNT, sizeof(pm_counted_launch), &each, err);
    for (size_t i = 0; status == PM_OK && i < self->workload->launch_count; i++) {
        const pm_counted_launch *counted = each;
        double *of_launch = errors ? errors + i * counters : NULL;

        pm_launch_counters(self->table, &self->gpu, &counted[i], values + i * counters, of_launch);
    }
    free(each);
    return status;
}

static void read_kernels(pm_wire *reply, void *result)
{
    pm_wire_kernels(reply, result);
}

pm_status pm_executor_trace_accesses(pm_executor *executor, pm_trace_tables *tables, pm_error *err)
{
    *tables = (pm_trace_tables){.count = 0};
    return ask_simply((trace_executor *)executor, PM_REQUEST_TRACE_ACCESSES, read_kernels, tables,
                      err);
}

/* ---- open ---------------------------------------------------------------------------------- */

static void trace_close(pm_executor *executor)
{
    trace_executor *self = (trace_executor *)executor;

    if (!self)
        return;
    if (!self->own)
        trace_unload(executor);
    pm_worker_free(self->own);
    forget_ahead(self);
    free(self);
}

static const pm_executor_class trace_class = {
    .name = "trace engine",
    .counter_source = "trace",
    .load = trace_load,
    .run = trace_run,
    .read = trace_read,
    .count = trace_count,
    .complete = trace_complete,
    .unload = trace_unload,
    .close = trace_close,
};

static pm_status open_worker(trace_executor *self, pm_error *err)
{
    self->worker = self->options.worker;
    if (!self->worker)
        self->worker = self->own = pm_worker_create(NULL, err);
    if (!self->worker)
        return PM_FAILED;
    self->process = pm_worker_process(self->worker);
    return PM_OK;
}

const char *pm_executor_trace_registers(const pm_executor *executor)
{
    const trace_executor *self = (const trace_executor *)executor;

    if (self->estimated)
        return "estimate";
    if (*self->back_end)
        return self->back_end;
    return self->assembles ? self->ptxas.version : "estimate";
}

pm_status pm_executor_trace_open(const pm_trace_engine_options *options,
                                 const pm_counter_table *table, const pm_log *log,
                                 pm_executor **out, pm_error *err)
{
    trace_executor *self = calloc(1, sizeof *self);
    pm_status status;

    *out = NULL;
    if (!self)
        return pm_fail(err, PM_FAILED, "out of memory for the trace engine");
    self->base.type = &trace_class;
    if (log)
        self->base.log = *log;
    self->options = *options;
    self->table = table;
    if (options->gpu) {
        self->gpu = *options->gpu;
        status = PM_OK;
    } else {
        status = pm_gpu_find(options->target, options->datasets, &self->gpu, err);
    }
    if (status == PM_OK)
        status = open_worker(self, err);
    if (status == PM_OK)
        status = pm_compiler_find(pm_worker_compiler(self->worker), err);
    if (status == PM_OK)
        status = pm_trace_open_ptxas(self, err);
    if (status == PM_OK) {
        pm_trace_name_amd(self);
        snprintf(self->base.device.id, sizeof self->base.device.id, "%s", self->gpu.device);
        strncpy(self->base.device.name, "the trace engine", sizeof self->base.device.name - 1);
        *out = &self->base;
    } else {
        trace_close(&self->base);
    }
    return status;
}
