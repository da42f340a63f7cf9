/* Kernel sources that a worker process parses and rewrites.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/worker/messages.h"
#include "collector/worker/process.h"
#include "collector/worker/ptx_source.h"
#include "collector/worker/source_kept.h"
#include "compiler/clang_arguments.h"
#include "compiler/cuda_source/code_text.h"
#include "compiler/cuda_source/cuda_cut.h"
#include "compiler/cuda_source/cuda_explain.h"
#include "compiler/cuda_source/cuda_source.h"
#include "compiler/language.h"
#include "compiler/options/cuda_options.h"
#include "program/build_words.h"

struct pm_source {
    /* own: the worker if the source started it and must free it, otherwise NULL */
    pm_worker *worker, *own;
    pm_process *process;
    /* Generation of the worker process that has parsed the source, and number of the source in that
     * process. */
    uint64_t generation, number;
    pm_open_message message;
    /* text of a CUDA source without host code, which clang parses; `message` has pointers into
     * it */
    pm_cuda_in_place seen;
    pm_arguments arguments; /* arguments of libclang; `message` points into them */
    pm_arguments options;   /* libclang's arguments that also affect the preprocessor */
    char *build_options;    /* NULL: none */
    pm_text missing;        /* names of headers that are not found, separated by commas */
    /* clang's error about the first declaration that was ignored because it does not compile */
    pm_error left_out;
    pm_source_info info;
};

/* Maximum number of declarations of a CUDA source that are ignored because they do not compile. */
enum { MOST_CUTS = 24 };

static bool is_cuda(const pm_source *source)
{
    return pm_language_of(source->message.path) == PM_LANGUAGE_CUDA;
}

/* ---- requests ------------------------------------------------------------------------------ */

static pm_status ask(pm_source *source, pm_request kind, pm_wire *body,
                     void (*read)(pm_wire *reply, void *result), void *result, pm_error *err)
{
    const pm_worker_call call = {.kind = kind,
                                 .body = body,
                                 .subject = source->message.path,
                                 .read = read,
                                 .result = result};
    pm_status status = pm_process_call(source->process, &call, &source->generation, err);

    pm_wire_free(body);
    return status;
}

/* Returns the request `kind` about the source as a pm_question, which can be searched in the cache.
 * pm_question_aim must then set where to store the answer. */
static pm_question question_of(const pm_source *source, pm_request kind, const pm_wire *body)
{
    return (pm_question){.compiler = pm_worker_compiler(source->worker),
                         .open = &source->message,
                         .arguments = &source->arguments,
                         .kind = kind,
                         .body = body};
}

/* Sends a question (a request whose answer may be cached) about the source to the worker process,
 * which must have parsed the source. */
static pm_status ask_question(pm_source *source, pm_question *question, pm_error *err)
{
    pm_wire body = PM_WIRE_WRITER;

    PM_WIRE_NUMBER(&body, source->number);
    pm_wire_raw(&body, question->body->data, question->body->bytes);
    body.failed |= question->body->failed;
    return ask(source, question->kind, &body, pm_question_note, question, err);
}

typedef struct {
    uint64_t number;
    pm_source_info info;
} opened;

static void read_opened(pm_wire *reply, void *result)
{
    opened *o = result;

    PM_WIRE_NUMBER(reply, o->number);
    pm_wire_source_info(reply, &o->info);
}

/* Makes the worker process parse the source, unless the running process has parsed it already. */
static pm_status parse(pm_source *source, pm_error *err)
{
    pm_wire body = PM_WIRE_WRITER;
    opened o = {.number = 0};
    pm_status status;

    if (source->generation != 0 && pm_process_has(source->process, source->generation))
        return PM_OK;
    source->generation = 0;
    pm_wire_open(&body, &source->message);
    status = ask(source, PM_REQUEST_SOURCE_OPEN, &body, read_opened, &o, err);
    source->number = o.number;
    /* the new description is freed, because the source's description was read when the source was
     * opened */
    pm_memory_free(&o.info.memory);
    return status;
}

/* Gets the description of the source (its structs and kernels) from the cache, or else from the
 * worker, which parses the source. */
static pm_status describe(pm_source *source, pm_error *err)
{
    pm_wire body = PM_WIRE_WRITER;
    opened o = {.number = 0};
    pm_question q = question_of(source, PM_REQUEST_SOURCE_OPEN, NULL);
    pm_status status = PM_OK;

    source->generation = 0; /* the source is not parsed yet, so no process has a number for it */
    pm_question_aim(&q, read_opened, &o, sizeof o, &o.info.memory);
    if (!pm_question_find(&q, &status, err)) {
        pm_wire_open(&body, &source->message);
        status = ask(source, PM_REQUEST_SOURCE_OPEN, &body, pm_question_note, &q, err);
        source->number = o.number;
    }
    pm_question_keep(&q, status, NULL); /* NULL: do not cache compile errors */
    source->info = o.info;
    return status;
}

/* Makes the text that clang will preprocess. *own: for a CUDA source, the text with the user's
 * headers and without host code, which the caller frees; otherwise NULL, because the source's own
 * text is preprocessed. */
static pm_status unexpanded(const pm_source *source, char **own, pm_error *err)
{
    const pm_cuda_request request = {.text = source->message.text,
                                     .path = source->message.path,
                                     .build_options = source->build_options};

    *own = NULL;
    return is_cuda(source) ? pm_cuda_source(&request, own, err) : PM_OK;
}

/* Preprocesses the source with clang and sends the resulting text to the worker. */
static pm_status expand(pm_source *source, pm_error *err)
{
    pm_wire body = PM_WIRE_WRITER;
    char *text = NULL, *own;
    pm_status status = unexpanded(source, &own, err);

    if (status == PM_OK)
        status = pm_preprocess(pm_worker_compiler(source->worker), own ? own : source->message.text,
                               source->message.path, &source->options, &text, err);
    if (status == PM_OK) {
        PM_WIRE_NUMBER(&body, source->number);
        pm_wire_name(&body, &text);
        status = ask(source, PM_REQUEST_SOURCE_EXPAND, &body, NULL, NULL, err);
    }
    free(own);
    free(text);
    return status;
}

/* A change of the source that the worker makes: another layout of structs, or arrays staged in
 * local memory. */
typedef struct {
    pm_request kind;
    void (*write)(pm_wire *body, const void *request);
    const void *request;
    void (*read)(pm_wire *reply, void *result);
    void *result;
    size_t result_bytes;
    pm_memory *memory; /* memory of the result */
    /* true: the code to change is inside a macro, so the worker needs the preprocessed source */
    bool hidden;
} making;

static void read_made(pm_wire *reply, void *result)
{
    making *m = result;

    pm_wire_flag(reply, &m->hidden);
    if (!m->hidden)
        m->read(reply, m->result);
}

static pm_status make_by_worker(pm_source *source, making *m, pm_question *q, pm_error *err)
{
    pm_status status = parse(source, err);

    if (status == PM_OK)
        status = ask_question(source, q, err);
    if (status != PM_OK || !m->hidden)
        return status;
    status = expand(source, err);
    if (status == PM_OK)
        status = ask_question(source, q, err);
    if (status == PM_OK && m->hidden)
        status = pm_fail(err, PM_FAILED, "%s: the worker process does not expand its macros",
                         source->message.path);
    return status;
}

static pm_status make(pm_source *source, making *m, pm_error *err)
{
    pm_wire body = PM_WIRE_WRITER;
    pm_question q = question_of(source, m->kind, &body);
    pm_status status = PM_OK;

    m->write(&body, m->request);
    pm_question_aim(&q, read_made, m->result, m->result_bytes, m->memory);
    q.user = m;
    if (!pm_question_find(&q, &status, err) || m->hidden)
        status = make_by_worker(source, m, &q, err);
    else
        q.known = false;
    pm_question_keep(&q, status, err);
    pm_wire_free(&body);
    return status;
}

/* ---- layouts ------------------------------------------------------------------------------- */

typedef struct {
    const pm_source_info *info;
    const pm_plan *const *plans;
} rewriting;

/* Writes for each struct of the source its new layout as text, or no text if the struct does not
 * change. */
static void write_layouts(pm_wire *body, const void *request)
{
    const rewriting *r = request;

    for (size_t s = 0; s < r->info->structs.count; s++) {
        const pm_plan *plan = r->plans[s];
        pm_text layout = {0};
        char *text = NULL;

        if (plan) {
            pm_layout_text(&layout, &plan->layout, plan->structure);
            text = pm_text_take(&layout);
            body->failed |= !text;
        }
        pm_wire_text(body, &text);
        free(text);
    }
}

static void read_rewritten(pm_wire *reply, void *result)
{
    pm_wire_rewritten(reply, result);
}

/* Checks a worker's answer about a new layout of structs. Returns whether the parameter of the
 * rewritten kernel that `map` describes is derived from an existing parameter of the original
 * kernel. */
static bool is_sound(const pm_param_map *map, const pm_source_kernel *kernel,
                     const pm_plan *const *plans)
{
    const pm_source_param *old;

    if (map->argument >= kernel->param_count)
        return false;
    old = &kernel->params[map->argument];
    if (map->kind == PM_PARAM_SAME)
        return true;
    return old->structure != PM_NO_STRUCT && plans[old->structure] &&
           (map->kind == PM_PARAM_COUNT || map->part < plans[old->structure]->part_count);
}

static pm_status check_maps(const pm_source *source, const pm_plan *const *plans,
                            const pm_rewritten *rewritten, pm_error *err)
{
    const pm_source_info *info = &source->info;
    bool sound = rewritten->kernel_count == info->kernel_count;

    for (size_t k = 0; sound && k < info->kernel_count; k++)
        for (size_t p = 0; sound && p < rewritten->kernels[k].count; p++)
            sound = is_sound(&rewritten->kernels[k].params[p], &info->kernels[k], plans);
    if (sound)
        return PM_OK;
    return pm_fail(err, PM_FAILED, "%s: the worker process has rewritten it to no sense",
                   source->message.path);
}

pm_status pm_source_rewrite(pm_source *source, const pm_plan *const *plans, pm_rewritten *out,
                            pm_error *err)
{
    const rewriting request = {&source->info, plans};
    making m = {.kind = PM_REQUEST_SOURCE_REWRITE,
                .write = write_layouts,
                .request = &request,
                .read = read_rewritten,
                .result = out,
                .result_bytes = sizeof *out,
                .memory = &out->memory};
    pm_status status;

    *out = (pm_rewritten){.text = NULL};
    if (source->info.structs.count == 0 && source->info.left)
        return pm_fail(err, PM_BAD_INPUT, "%s", source->info.left);
    status = make(source, &m, err);
    if (status == PM_OK)
        status = check_maps(source, plans, out, err);
    if (status != PM_OK) {
        pm_memory_free(&out->memory);
        *out = (pm_rewritten){.text = NULL};
    }
    return status;
}

/* ---- staging ------------------------------------------------------------------------------- */

static void write_stage_request(pm_wire *body, const void *request)
{
    pm_stage_request copy = *(const pm_stage_request *)request;

    pm_wire_stage_request(body, &copy);
}

static void read_staged(pm_wire *reply, void *result)
{
    pm_wire_staged(reply, result);
}

pm_status pm_source_stage(pm_source *source, const pm_stage_request *request, pm_staged *out,
                          pm_error *err)
{
    making m = {.kind = PM_REQUEST_SOURCE_STAGE,
                .write = write_stage_request,
                .request = request,
                .read = read_staged,
                .result = out,
                .result_bytes = sizeof *out,
                .memory = &out->memory};
    pm_status status;

    *out = (pm_staged){.text = NULL};
    if (pm_language_of(source->message.path) == PM_LANGUAGE_PTX)
        return pm_fail(err, PM_BAD_INPUT, "%s: PTX cannot be rewritten; rewrite its CUDA source",
                       source->message.path);
    status = make(source, &m, err);
    if (status != PM_OK) {
        pm_memory_free(&out->memory);
        *out = (pm_staged){.text = NULL};
    }
    return status;
}

/* ---- templates ----------------------------------------------------------------------------- */

static void read_instances(pm_wire *reply, void *result)
{
    pm_wire_instances(reply, result);
}

static pm_status check_kernels(const pm_source *source, const char *const *kernels, size_t count,
                               pm_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!pm_cuda_is_kernel(kernels[i]))
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: kernel %.100s: a template's instance is written as "
                           "reduce<float, 256>",
                           source->message.path, kernels[i]);
    return PM_OK;
}

static pm_status ask_instances(pm_source *source, const char *const *kernels, size_t kernel_count,
                               bool pointers, bool declared, pm_instances *out, pm_error *err)
{
    pm_wire body = PM_WIRE_WRITER;
    pm_question q = question_of(source, PM_REQUEST_SOURCE_INSTANCES, &body);
    char **names = (char **)(uintptr_t)kernels;
    pm_status status = check_kernels(source, kernels, kernel_count, err);

    *out = (pm_instances){.text = NULL};
    if (status != PM_OK)
        return status;
    pm_wire_flag(&body, &pointers);
    pm_wire_flag(&body, &declared);
    pm_wire_names(&body, &names, &kernel_count);
    pm_question_aim(&q, read_instances, out, sizeof *out, &out->memory);
    if (!pm_question_find(&q, &status, err)) {
        status = parse(source, err);
        if (status == PM_OK)
            status = ask_question(source, &q, err);
    }
    pm_question_keep(&q, status, NULL);
    pm_wire_free(&body);
    if (status == PM_OK && out->text && out->kernel_count != kernel_count)
        status = pm_fail(err, PM_FAILED, "%s: the worker process has lost kernels of it",
                         source->message.path);
    if (status != PM_OK) {
        pm_memory_free(&out->memory);
        *out = (pm_instances){.text = NULL};
    }
    return status;
}

pm_status pm_source_instances(pm_source *source, const char *const *kernels, size_t kernel_count,
                              bool pointers, pm_instances *out, pm_error *err)
{
    return ask_instances(source, kernels, kernel_count, pointers, false, out, err);
}

pm_status pm_source_declare_instances(pm_source *source, const char *const *kernels,
                                      size_t kernel_count, pm_instances *out, pm_error *err)
{
    return ask_instances(source, kernels, kernel_count, false, true, out, err);
}

/* ---- opening a source ---------------------------------------------------------------------- */

static pm_status make_arguments(pm_source *source, const char *build_options, const pm_log *log,
                                pm_error *err)
{
    pm_compiler *compiler = pm_worker_compiler(source->worker);
    char resource[PATH_MAX + 32];
    const char *folder;
    pm_status status = pm_compiler_headers(compiler, &folder, err);

    if (status != PM_OK)
        return status;
    if (is_cuda(source))
        status = pm_cuda_parse_arguments(folder, &source->arguments, err);
    else
        pm_opencl_parse_arguments(folder, &source->arguments);
    snprintf(resource, sizeof resource, "-resource-dir=%s", folder);
    pm_arguments_add(&source->arguments, resource);
    pm_arguments_add(&source->arguments, "-Wno-everything");
    if (status == PM_OK)
        status = is_cuda(source)
                     ? pm_compiler_cuda_options(compiler, build_options, &source->options, log, err)
                     : pm_compiler_options(compiler, build_options, &source->options, log, err);
    if (status == PM_OK)
        status = pm_compiler_add_folder(&source->options, source->message.path, err);
    for (size_t i = 0; i < source->options.count; i++)
        pm_arguments_add(&source->arguments, source->options.items[i]);
    if (status == PM_OK && (source->options.failed || source->arguments.failed))
        status = pm_fail(err, PM_FAILED, "out of memory for the arguments of clang");
    source->message.arguments = source->arguments.items;
    source->message.argument_count = source->arguments.count;
    return status;
}

/* Sets the text that clang parses for a CUDA source: the source without host code and without
 * CUDA's headers. */
static pm_status hide_host_code(pm_source *source, pm_error *err)
{
    const pm_cuda_request request = {.text = source->message.text,
                                     .path = source->message.path,
                                     .build_options = source->build_options,
                                     .missing = &source->missing};
    pm_status status;

    if (!is_cuda(source))
        return PM_OK;
    status = pm_cuda_source_in_place(&request, &source->seen, err);
    source->message.parsed = source->seen.text;
    source->message.headers = source->seen.headers;
    source->message.header_count = source->seen.header_count;
    return status;
}

/* Gets the description of a CUDA source without the declarations that do not compile. A kernel that
 * needs such a declaration is refused later, when it is compiled. If the remaining source does not
 * compile either, err receives the error about the whole source. */
static pm_status describe_rest(pm_source *source, pm_error *err)
{
    pm_error first = *err;
    pm_status status = first.status;

    for (size_t i = 0; status == PM_BAD_INPUT && i < MOST_CUTS &&
                       pm_cuda_cut_in_place(source->message.path, &source->seen, err->text,
                                            pm_worker_has_nvidia(source->worker));
         i++) {
        *err = (pm_error){0};
        source->generation = 0; /* the worker process has not parsed the changed text */
        status = describe(source, err);
    }
    pm_cuda_explain(pm_text_get(&source->missing), &first);
    source->left_out = first;
    if (status == PM_BAD_INPUT)
        *err = first;
    return status;
}

static pm_status open_worker(pm_source *source, pm_worker *worker, pm_error *err)
{
    if (!worker)
        source->own = worker = pm_worker_create(NULL, err);
    if (!worker)
        return PM_FAILED;
    source->worker = worker;
    source->process = pm_worker_process(worker);
    return PM_OK;
}

pm_source *pm_source_open(const char *text, const char *path, const char *build_options,
                          pm_worker *worker, const pm_log *log, pm_error *err)
{
    pm_source *source = calloc(1, sizeof *source);
    pm_status status = PM_OK;

    path = path ? path : "kernel.cl";
    if (source) {
        source->message.text = strdup(text);
        source->message.path = strdup(path);
        source->build_options = build_options ? strdup(build_options) : NULL;
    }
    if (!source || !source->message.text || !source->message.path ||
        (build_options && !source->build_options))
        status = pm_fail(err, PM_FAILED, "%s: out of memory", path);
    if (status == PM_OK)
        status = pm_ptx_source_check_name(text, path, err);
    if (status == PM_OK && pm_language_of(path) == PM_LANGUAGE_PTX) {
        status = pm_ptx_source_describe(text, path, &source->info, err);
        if (status == PM_OK)
            return source;
    }
    if (status == PM_OK)
        status = hide_host_code(source, err);
    if (status == PM_OK)
        status = open_worker(source, worker, err);
    if (status == PM_OK)
        status = make_arguments(source, build_options, log, err);
    if (status == PM_OK)
        status = describe(source, err);
    if (status == PM_BAD_INPUT && is_cuda(source) && pm_lenient_option(build_options))
        status = describe_rest(source, err);
    if (status == PM_OK)
        return source;
    pm_source_close(source);
    return NULL;
}

void pm_source_close(pm_source *source)
{
    pm_wire body = PM_WIRE_WRITER;

    if (!source)
        return;
    if (source->generation != 0 && !source->own) {
        PM_WIRE_NUMBER(&body, source->number);
        ask(source, PM_REQUEST_SOURCE_CLOSE, &body, NULL, NULL, NULL);
    }
    pm_worker_free(source->own);
    pm_memory_free(&source->info.memory);
    pm_arguments_free(&source->arguments);
    pm_arguments_free(&source->options);
    free(source->message.text);
    free(source->message.path);
    free(source->build_options);
    pm_memory_free(&source->seen.memory);
    pm_text_free(&source->missing);
    free(source);
}

const char *pm_source_missing_headers(const pm_source *source)
{
    return pm_text_get(&source->missing);
}

bool pm_source_calls(const pm_source *source, const char *name)
{
    bool found = source->seen.text && pm_code_calls(source->seen.text, name);

    for (size_t h = 0; h < source->seen.header_count && !found; h++)
        found = pm_code_calls(source->seen.headers[h].text, name);
    return found;
}

const pm_error *pm_source_left_out(const pm_source *source)
{
    return source->left_out.status == PM_OK ? NULL : &source->left_out;
}

const pm_source_info *pm_source_describe(const pm_source *source)
{
    return &source->info;
}
