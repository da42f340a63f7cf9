/* Serves requests about workloads in a worker process: load into the trace engine, run, count,
 * unload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "collector/engine/engine.h"
#include "collector/worker/messages.h"
#include "collector/worker/server/machine_code.h"
#include "collector/worker/server/programs.h"
#include "collector/worker/server/variables.h"

struct pm_served_trace {
    uint64_t number;
    /* the client's workload, with further buffers and arguments for variables in global memory */
    pm_workload *workload;
    size_t buffer_count; /* number of the client's buffers, the first ones of the workload */
    pm_served_program *program;
    pm_engine *engine;
    pm_served_code code; /* machine code of the kernels */
    pm_served_trace *next;
};

static void free_trace(pm_served_trace *trace)
{
    pm_engine_free(trace->engine);
    pm_served_code_free(&trace->code);
    pm_served_program_let_go(trace->program);
    pm_workload_free(trace->workload);
    free(trace);
}

void pm_served_traces_free(pm_served_trace *traces)
{
    while (traces) {
        pm_served_trace *next = traces->next;

        free_trace(traces);
        traces = next;
    }
}

/* Reads a workload from a request. The workload takes ownership of the request's open files. */
static void read_workload(pm_served_trace *trace, pm_served *request)
{
    trace->workload = calloc(1, sizeof *trace->workload);
    if (!trace->workload) {
        request->body.failed = true;
        return;
    }
    pm_wire_workload(&request->body, trace->workload, request->files, &request->file_count);
    for (size_t i = 0; i < trace->workload->contents_count; i++)
        request->files[i] = -1;
}

/* Returns whether the initial contents of a variable of the source (a symbol) are a buffer with
 * pointers. The values of these pointers are only known when the buffers have addresses. */
static bool has_pointers(const pm_workload *workload, size_t symbol)
{
    const pm_device_symbol *of = &workload->symbols[symbol];

    return of->in_buffer && workload->buffers[of->buffer].pointers.count > 0;
}

/* Returns the initial contents of a CUDA source's variables (the workload's symbols) in the form
 * that the compiler takes. The caller frees the array. */
static pm_backend_symbol *symbols_of(const pm_workload *workload)
{
    pm_backend_symbol *symbols = calloc(workload->symbol_count + 1, sizeof *symbols);

    for (size_t i = 0; symbols && i < workload->symbol_count; i++)
        symbols[i] = (pm_backend_symbol){.name = workload->symbols[i].name,
                                         .data = workload->symbols[i].data,
                                         .bytes = workload->symbols[i].bytes,
                                         .in_buffer = has_pointers(workload, i)};
    return symbols;
}

/* Returns the struct arguments with pointers of all launches, and the textures that are bound to
 * texture references. Sets *count to their number. The
 * caller frees the array. NULL if out of memory. */
static pm_backend_value *values_of(const pm_workload *workload, size_t *count)
{
    pm_backend_value *values =
        calloc(workload->launch_count * PM_MAX_ARGS + workload->texture_count + 1, sizeof *values);

    *count = 0;
    for (size_t l = 0; values && l < workload->launch_count; l++) {
        const pm_launch *launch = &workload->launches[l];

        for (size_t i = 0; i < launch->arg_count; i++)
            if (launch->args[i].kind == PM_ARG_VALUE && launch->args[i].pointers.count > 0)
                values[(*count)++] = (pm_backend_value){.kernel = launch->kernel,
                                                        .argument = i,
                                                        .data = pm_arg_value(&launch->args[i]),
                                                        .bytes = launch->args[i].bytes};
    }
    for (size_t t = 0; values && t < workload->texture_count; t++)
        values[(*count)++] = (pm_backend_value){.reference = workload->textures[t].name,
                                                .data = pm_arg_value(&workload->textures[t].object),
                                                .bytes = workload->textures[t].object.bytes};
    return values;
}

/* Returns the names of the kernels that a workload launches, without duplicates. The caller frees
 * the array. NULL if out of memory. */
static const char **launched_kernels(const pm_workload *workload, size_t *count)
{
    const char **names = calloc(workload->launch_count + 1, sizeof *names);

    *count = 0;
    for (size_t i = 0; names && i < workload->launch_count; i++) {
        size_t k = 0;

        while (k < *count && strcmp(names[k], workload->launches[i].kernel) != 0)
            k++;
        if (k == *count)
            names[(*count)++] = workload->launches[i].kernel;
    }
    return names;
}

static pm_served_program *take_program(pm_served_things *things, pm_backend_request *source,
                                       const pm_workload *workload, pm_error *err)
{
    const char **names = launched_kernels(workload, &source->kernel_count);
    pm_backend_symbol *symbols = symbols_of(workload);
    pm_backend_value *values = values_of(workload, &source->value_count);
    pm_served_program *program = NULL;

    source->kernels = names;
    source->symbols = symbols;
    source->symbol_count = workload->symbol_count;
    source->values = values;
    if (names && symbols && values)
        program = pm_served_program_take(things, source, err);
    else
        pm_fail(err, PM_FAILED, "%s: out of memory for its code", source->source_path);
    free(names);
    free(symbols);
    free(values);
    return program;
}

/* Returns the limits on registers of an NVIDIA GPU. All members are 0 for other GPUs: AMD's
 * compiler reports the registers of AMD's GPUs (collector/worker/amd_resources.c), and there are no
 * rules for the rest. */
static pm_register_rules register_rules(const pm_gpu *gpu, unsigned option)
{
    const unsigned capability = pm_gpu_capability(gpu);

    if (capability == 0)
        return (pm_register_rules){0};
    return (pm_register_rules){.capability = capability,
                               .registers = gpu->registers,
                               .unit = gpu->register_unit,
                               .most = gpu->max_registers,
                               .option = option};
}

static pm_status load(pm_served_things *things, pm_served *request, pm_error *err)
{
    pm_served_trace *trace = calloc(1, sizeof *trace);
    char costs[PATH_MAX];
    pm_engine_options options = {.memory_bytes = request->memory_bytes};
    pm_backend_request source = {.costs = costs};
    unsigned register_option = 0;
    pm_wire *body = &request->body;

    if (!trace)
        return pm_fail(err, PM_FAILED, "out of memory for a trace");
    PM_WIRE_NUMBER(body, options.gpu);
    pm_wire_chars(body, costs, sizeof costs);
    PM_WIRE_NUMBER(body, options.sample);
    PM_WIRE_NUMBER(body, options.step_limit);
    PM_WIRE_NUMBER(body, options.seed);
    PM_WIRE_NUMBER(body, options.threads);
    pm_wire_flag(body, &source.as_written);
    pm_wire_flag(body, &source.quick);
    PM_WIRE_NUMBER(body, register_option);
    pm_wire_flag(body, &source.all_restrict);
    pm_wire_flag(body, &source.marks);
    read_workload(trace, request);
    source.bitcode = pm_wire_bytes(body, NULL, &source.bitcode_bytes);
    if (!pm_wire_done(body)) {
        pm_serve_senseless(err);
    } else {
        source.source_path = trace->workload->source_path;
        source.warp_width = options.gpu.warp_width;
        source.capability = pm_gpu_capability(&options.gpu);
        source.register_rules = register_rules(&options.gpu, register_option);
        trace->program = take_program(things, &source, trace->workload, err);
    }
    trace->buffer_count = trace->workload ? trace->workload->buffer_count : 0;
    if (trace->program &&
        pm_served_add_variables(trace->workload, pm_served_program_code(trace->program), err) ==
            PM_OK)
        trace->engine = pm_engine_create(&options, trace->workload,
                                         pm_served_program_code(trace->program), err);
    if (!trace->engine) {
        free_trace(trace);
        return err->status;
    }
    trace->number = ++things->last;
    trace->next = things->traces;
    things->traces = trace;
    PM_WIRE_NUMBER(&request->reply, trace->number);
    return PM_OK;
}

/* Replies with PTX of the loaded workload's kernels, which ptxas then assembles. Also replies with
 * the GPU's name for ptxas, and with two lists: the kernels' names in the workload, and in the PTX.
 * If the source is not PTX, the name and the lists are empty, because kernels have the same names
 * in both. */
static pm_status make_ptx(pm_served_trace *trace, pm_served *request, pm_error *err)
{
    const pm_backend_request *source = pm_served_program_request(trace->program);
    pm_served_code *code = &trace->code;
    unsigned capability;
    char *ptx = NULL;
    size_t bytes;
    pm_status status;

    PM_WIRE_NUMBER(&request->body, capability);
    if (!pm_wire_done(&request->body))
        return pm_serve_senseless(err);
    status = source->marks ? pm_served_code_annotate(code, source, capability, err)
                           : pm_trace_program_ptx(source, capability, &ptx, &bytes, err);
    if (status == PM_OK) {
        bytes = source->marks ? strlen(code->annotated.text) : bytes;
        pm_wire_bytes(&request->reply, source->marks ? code->annotated.text : ptx, &bytes);
        pm_wire_chars(&request->reply, code->annotated.chip, sizeof code->annotated.chip);
        pm_wire_names(&request->reply, &code->kernels, &code->kernel_count);
        pm_wire_names(&request->reply, &code->in_ptx, &code->kernel_count);
    }
    free(ptx);
    return status;
}

/* Reads nvdisasm's text: the machine code that ptxas made of the PTX from make_ptx. The engine then
 * counts the instructions of this machine code. */
static pm_status set_machine_code(pm_served_trace *trace, pm_served *request, pm_error *err)
{
    size_t bytes;
    const void *text = pm_wire_bytes(&request->body, NULL, &bytes);
    char *copy;
    pm_status status;

    if (!pm_wire_done(&request->body) || !trace->code.annotated.text)
        return pm_serve_senseless(err);
    copy = strndup(text, bytes);
    status = copy ? pm_served_code_read(&trace->code, copy, trace->engine, err)
                  : pm_fail(err, PM_FAILED, "out of memory for machine code");
    free(copy);
    return status;
}

/* Replaces the estimated registers and shared memory of a kernel by the numbers in the request,
 * which the GPU's own compiler reported. */
static pm_status set_resources(pm_served_trace *trace, pm_served *request, pm_error *err)
{
    pm_wire *body = &request->body;
    pm_kernel_resources taken;
    char *kernel = NULL;
    pm_status status;

    pm_wire_name(body, &kernel);
    PM_WIRE_NUMBER(body, taken);
    status = pm_wire_done(body) ? pm_engine_set_resources(trace->engine, kernel, &taken, err)
                                : pm_serve_senseless(err);
    free(kernel);
    return status;
}

/* Serves a request to run, or to run and count, one pass over the workload's launches (each launch
 * once). The reply has the seconds or counts of each launch. */
static pm_status pass(pm_served_trace *trace, pm_served *request, pm_error *err)
{
    const bool counts = request->kind == PM_REQUEST_TRACE_COUNT;
    const size_t bytes = counts ? sizeof(pm_counted_launch) : sizeof(double);
    size_t launches = trace->workload->launch_count;
    void *each = calloc(launches + 1, bytes);
    bool complete;
    pm_status status = !each    ? pm_fail(err, PM_FAILED, "out of memory for a pass")
                       : counts ? pm_engine_count(trace->engine, each, err)
                                : pm_engine_run(trace->engine, each, err);

    if (status == PM_OK) {
        complete = pm_engine_complete(trace->engine);
        pm_wire_flag(&request->reply, &complete);
        pm_wire_raw(&request->reply, each, launches * bytes);
    }
    free(each);
    return status;
}

static pm_status read_buffer(pm_served_trace *trace, pm_served *request, pm_error *err)
{
    size_t buffer, at, bytes, size;
    const uint8_t *data;

    PM_WIRE_NUMBER(&request->body, buffer);
    PM_WIRE_NUMBER(&request->body, at);
    PM_WIRE_NUMBER(&request->body, bytes);
    if (!pm_wire_done(&request->body) || buffer >= trace->buffer_count)
        return pm_serve_senseless(err);
    size = trace->workload->buffers[buffer].bytes;
    if (at > size || bytes > size - at)
        return pm_serve_senseless(err);
    data = pm_engine_buffer(trace->engine, buffer);
    pm_wire_raw(&request->reply, (void *)(uintptr_t)(data + at), bytes);
    return PM_OK;
}

static pm_status find_reach(pm_served_trace *trace, pm_served *request, pm_error *err)
{
    const size_t buffers = trace->workload->buffer_count;
    pm_buffer_reach *reach = calloc(buffers + 1, sizeof *reach);
    double work = 0;
    pm_status status = reach ? pm_engine_reach(trace->engine, reach, &work, err)
                             : pm_fail(err, PM_FAILED, "out of memory for a trace");

    if (status == PM_OK) {
        pm_wire_raw(&request->reply, reach, trace->buffer_count * sizeof *reach);
        PM_WIRE_NUMBER(&request->reply, work);
    }
    free(reach);
    return status;
}

static pm_status find_page_use(pm_served_trace *trace, pm_served *request, pm_error *err)
{
    const size_t buffers = trace->workload->buffer_count;
    uint8_t **use = calloc(buffers + 1, sizeof *use);
    double seconds = 0;
    pm_status status;

    PM_WIRE_NUMBER(&request->body, seconds);
    if (!pm_wire_done(&request->body))
        status = pm_serve_senseless(err);
    else
        status = use ? pm_engine_page_use(trace->engine, seconds, use, err)
                     : pm_fail(err, PM_FAILED, "out of memory for a trace");
    for (size_t b = 0; use && b < buffers; b++) {
        if (status == PM_OK)
            pm_wire_raw(&request->reply, use[b], pm_use_pages(trace->workload->buffers[b].bytes));
        free(use[b]);
    }
    free(use);
    return status;
}

static pm_status accesses(pm_served_trace *trace, pm_served *request, pm_error *err)
{
    pm_trace_tables tables;
    pm_status status = pm_engine_accesses(trace->engine, &tables, err);

    if (status == PM_OK)
        pm_wire_kernels(&request->reply, &tables);
    pm_memory_free(&tables.memory);
    return status;
}

pm_status pm_serve_trace(pm_served_things *things, pm_served *request, pm_error *err)
{
    pm_served_trace **at = &things->traces, *trace;
    uint64_t number;

    if (request->kind == PM_REQUEST_TRACE_LOAD)
        return load(things, request, err);
    PM_WIRE_NUMBER(&request->body, number);
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    trace = *at;
    if (!trace)
        return pm_serve_senseless(err);
    switch (request->kind) {
    case PM_REQUEST_TRACE_RUN:
    case PM_REQUEST_TRACE_COUNT:
        return pass(trace, request, err);
    case PM_REQUEST_TRACE_PTX:
        return make_ptx(trace, request, err);
    case PM_REQUEST_TRACE_SASS:
        return set_machine_code(trace, request, err);
    case PM_REQUEST_TRACE_RESOURCES:
        return set_resources(trace, request, err);
    case PM_REQUEST_TRACE_READ:
        return read_buffer(trace, request, err);
    case PM_REQUEST_TRACE_REACH:
        return find_reach(trace, request, err);
    case PM_REQUEST_TRACE_PAGE_USE:
        return find_page_use(trace, request, err);
    case PM_REQUEST_TRACE_ACCESSES:
        return accesses(trace, request, err);
    default:
        *at = trace->next;
        free_trace(trace);
        return PM_OK;
    }
}
