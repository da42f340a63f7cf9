/* A launch that the Intercept Layer for OpenCL Applications recorded, as a workload file. See
 * suite.h, and recorded.h for the folder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It becomes a capture of one launch, whose text refers to the folder's files.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "capture/replay/replay.h"
#include "program/headers.h"
#include "suite/intercept/recorded.h"
#include "suite/suite.h"
#include "worker/source.h"

enum { LONGEST_NAME = 47 };

/* Floats are those of the driver that ran it, and there is no file to say so in. */
static const double TOLERANCE = 1e-5;

typedef struct {
    const char *path;
    pm_worker *worker;
    pm_memory memory;
    char *text; /* what it becomes; of malloc */
    pm_recorded *recorded;
    pm_source *source; /* NULL: it cannot be read */
    pm_source_info info;
    pm_captured_process process;
    pm_captured_program program;
    pm_captured_kernel kernel, *kernels[1];
    pm_captured_launch launch;
    pm_replay replay;
} work;

#define fault(w, ...) pm_leave(&(w)->memory, PM_BAD_INPUT, __VA_ARGS__)

/* ---- which folders --------------------------------------------------------------------------- */

static bool find(const char *folder, const char *name, struct stat *there)
{
    char path[PATH_MAX];

    return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path &&
           lstat(path, there) == 0;
}

bool pm_intercept_is(const char *path)
{
    struct stat there;

    return find(path, "enqueueNumber.txt", &there);
}

bool pm_intercept_has_results(const char *path)
{
    struct stat there;

    return find(path, "Post", &there);
}

pm_status pm_intercept_check(const char *path, pm_error *err)
{
    char image[32], sampler[32];
    struct stat there;

    if (!find(path, "worksizes.txt", &there) || !find(path, "kernelName.txt", &there))
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: has no worksizes.txt or no kernelName.txt, as of a program that was "
                       "killed; record the launch again",
                       path);
    for (unsigned a = 0; a < PM_CAPTURED_MOST_ARGS; a++) {
        snprintf(image, sizeof image, "Image_MetaData_%u.txt", a);
        snprintf(sampler, sizeof sampler, "Sampler%u.txt", a);
        if (find(path, image, &there) || find(path, sampler, &there))
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: argument %u of its kernel is an image or a sampler, which no "
                           "workload has; record a launch with buffers",
                           path, a);
    }
    /* Of a program that has no source a driver may tell the empty one. */
    if (!find(path, "kernel.cl", &there) || (S_ISREG(there.st_mode) && there.st_size <= 1))
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: has no kernel.cl: its program was made of a binary or of SPIR-V; put "
                       "the OpenCL C that it was made of there",
                       path);
    return PM_OK;
}

/* ---- what the kernel takes ------------------------------------------------------------------- */

/* By the files that there are, where the source cannot be read. */
static void describe_by_files(work *w)
{
    const pm_recorded *r = w->recorded;

    w->kernel.param_count = r->arg_count;
    w->kernel.params = pm_take(&w->memory, r->arg_count + 1, sizeof *w->kernel.params);
    for (size_t a = 0; a < r->arg_count; a++) {
        const pm_recorded_arg *arg = &r->args[a];
        const bool is_pointer = strchr(arg->type, '*') && arg->has_value;

        w->kernel.params[a] =
            (pm_captured_param){.address = arg->before.path || is_pointer ? "global"
                                           : arg->has_local               ? "local"
                                                                          : "private",
                                .type = arg->type,
                                .name = pm_format(&w->memory, "argument_%zu", a)};
    }
}

static void describe(work *w)
{
    const pm_recorded *r = w->recorded;
    const char *file = pm_format(&w->memory, "%s/kernel.cl", w->path);
    char root[PATH_MAX];
    const pm_headers headers = {
        .text = r->source, .path = file, .options = r->options, .root = root};
    pm_error why = {0};

    if (!realpath(w->path, root))
        fault(w, "%s: cannot be found any more", w->path);
    if (pm_headers_check(&headers, &why) != PM_OK)
        pm_leave(&w->memory, why.status, "%s %s", file, why.text);
    w->source = pm_source_open(r->source, file, r->options, w->worker, NULL, &why);
    if (w->source) {
        w->info = *pm_source_describe(w->source);
        return;
    }
    describe_by_files(w);
    if (!pm_replay_describe(&w->memory, &w->replay, &w->info))
        pm_leave(&w->memory, why.status, "%s", why.text);
}

static const pm_source_kernel *find_kernel(work *w)
{
    const pm_recorded *r = w->recorded;
    char list[300] = "";

    for (size_t k = 0; k < w->info.kernel_count; k++) {
        const pm_source_kernel *kernel = &w->info.kernels[k];

        if (strcmp(kernel->name, r->kernel) == 0) {
            if (r->arg_count > kernel->param_count)
                fault(w,
                      "%s: has an argument %zu, but kernel %s takes %zu; record the launch again",
                      w->path, r->arg_count - 1, r->kernel, kernel->param_count);
            return kernel;
        }
        pm_list_add(list, sizeof list, "%s", kernel->name);
    }
    fault(w, "%s/kernelName.txt: kernel.cl has no kernel %.60s; it has: %s", w->path, r->kernel,
          *list ? list : "none");
}

/* ---- the launch ------------------------------------------------------------------------------ */

static bool is_zero(const pm_recorded_arg *arg)
{
    for (size_t b = 0; b < arg->bytes; b++)
        if (arg->value[b] != 0)
            return false;
    return arg->has_value;
}

/* The first argument that is the same buffer: it has the same handle. */
static size_t same_buffer(const pm_recorded *r, size_t a)
{
    const pm_recorded_arg *arg = &r->args[a];

    for (size_t b = 0; b < a && arg->has_value; b++) {
        const pm_recorded_arg *other = &r->args[b];

        if (other->before.path && other->before.bytes == arg->before.bytes && other->has_value &&
            other->bytes == arg->bytes && memcmp(other->value, arg->value, arg->bytes) == 0)
            return b;
    }
    return a;
}

/* Whether a kernel may write to it. Of arrays of structs the source tells. */
static bool may_write(const work *w, const pm_source_param *param)
{
    return !w->source || param->structure == PM_NO_STRUCT || param->written;
}

/* What it held after the launch; NULL: nothing else than before, or nobody knows. */
static const char *after_of(const work *w, size_t a, const pm_source_param *param)
{
    const pm_recorded_arg *arg = &w->recorded->args[a];

    if (!arg->after.path || !may_write(w, param))
        return NULL;
    if (arg->after.bytes != arg->before.bytes)
        fault(w, "%s: %s has %zu bytes, but %s %zu; record the launch again", w->path,
              arg->after.path, arg->after.bytes, arg->before.path, arg->before.bytes);
    return pm_recorded_same(w->recorded, arg->before.path, arg->after.path) ? NULL
                                                                            : arg->after.path;
}

static void add_buffer(work *w, size_t a, const pm_source_param *param, pm_captured_arg *to)
{
    const pm_recorded_arg *arg = &w->recorded->args[a];
    const size_t first = same_buffer(w->recorded, a);

    if (arg->offset >= arg->before.bytes)
        fault(w,
              "%s: argument %zu (%s) is said to start %zu bytes into %zu; record the launch "
              "again",
              w->path, a, param->name, arg->offset, arg->before.bytes);
    *to = (pm_captured_arg){.kind = PM_CAPTURED_BUFFER,
                            .buffer = (unsigned)first,
                            .bytes = arg->before.bytes,
                            .at = arg->offset,
                            .before = w->recorded->args[first].before.path,
                            .after = after_of(w, a, param)};
}

/* What was set before is recorded beside what was set last. */
static void add_pointer(work *w, size_t a, const pm_source_param *param, pm_captured_arg *to)
{
    const pm_recorded_arg *arg = &w->recorded->args[a];

    if (is_zero(arg))
        *to =
            (pm_captured_arg){.kind = PM_CAPTURED_VALUE, .bytes = arg->bytes, .value = arg->value};
    else if (arg->has_local && arg->has_value)
        fault(w,
              "%s: argument %zu (%s) was set to a buffer and to NULL, and which came last is not "
              "recorded; remove Argument%zu.bin or Local%zu.txt",
              w->path, a, param->name, a, a);
    else if (arg->before.path)
        add_buffer(w, a, param, to);
    else if (arg->has_local)
        *to = (pm_captured_arg){.kind = PM_CAPTURED_LOCAL, .bytes = arg->local};
    else
        fault(w,
              "%s: Pre/ has no file with what argument %zu (%s) held; record the launch with "
              "buffers that the host may read, or with pointers into allocations of OpenCL",
              w->path, a, param->name);
}

static void add_arg(work *w, size_t a, const pm_source_param *param, pm_captured_arg *to)
{
    const pm_recorded_arg *arg = &w->recorded->args[a];

    if (param->takes == PM_TAKES_BUFFER) {
        add_pointer(w, a, param, to);
    } else if (param->takes == PM_TAKES_LOCAL) {
        if (!arg->has_local)
            fault(w,
                  "%s: Local%zu.txt is missing: argument %zu (%s) takes local memory; record the "
                  "launch again",
                  w->path, a, a, param->name);
        *to = (pm_captured_arg){.kind = PM_CAPTURED_LOCAL, .bytes = arg->local};
    } else {
        if (arg->is_memory)
            fault(w,
                  "%s: argument %zu (%s) is a pipe or another object that no workload has; "
                  "record a launch with buffers",
                  w->path, a, param->name);
        if (!arg->has_value)
            fault(w,
                  "%s: Argument%zu.bin is missing: argument %zu (%s) takes a value; record the "
                  "launch again",
                  w->path, a, a, param->name);
        *to =
            (pm_captured_arg){.kind = PM_CAPTURED_VALUE, .bytes = arg->bytes, .value = arg->value};
    }
}

static void add_launch(work *w, const pm_source_kernel *kernel)
{
    const pm_recorded *r = w->recorded;

    w->launch = (pm_captured_launch){
        .kernel = &w->kernel,
        .dimensions = r->dimensions,
        .arg_count = kernel->param_count,
        .args = pm_take(&w->memory, kernel->param_count + 1, sizeof *w->launch.args)};
    memcpy(w->launch.global, r->global, sizeof r->global);
    memcpy(w->launch.local, r->local, sizeof r->local);
    memcpy(w->launch.offset, r->offset, sizeof r->offset);
    if (kernel->param_count > PM_CAPTURED_MOST_ARGS)
        fault(w, "%s: kernel %s takes %zu arguments; up to %d can be read", w->path, r->kernel,
              kernel->param_count, PM_CAPTURED_MOST_ARGS);
    for (size_t a = 0; a < kernel->param_count; a++)
        add_arg(w, a, &kernel->params[a], &w->launch.args[a]);
}

/* ---- the workload ---------------------------------------------------------------------------- */

/* What is written, though not recorded, has to be set back before another run. */
static void mark_unknown(work *w, const pm_source_kernel *kernel)
{
    for (size_t a = 0; a < kernel->param_count; a++) {
        const pm_replay_arg *arg = &w->replay.launches[0].args[a];
        pm_replay_buffer *buffer;

        if (arg->kind != PM_REPLAY_BUFFER || w->recorded->args[a].after.path ||
            !may_write(w, &kernel->params[a]))
            continue;
        buffer = &w->replay.buffers[arg->buffer];
        buffer->written = true;
        buffer->unknown = strcmp(buffer->first, buffer->last) == 0;
    }
}

/* As the folder is called. */
static const char *name_of(work *w)
{
    char whole[PATH_MAX];
    char *name;

    if (!realpath(w->path, whole))
        fault(w, "%s: cannot be found any more", w->path);
    name = pm_format(&w->memory, "%.*s", (int)LONGEST_NAME, strrchr(whole, '/') + 1);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_.-", *c))
            *c = '_';
    if (!*name)
        return "recorded";
    return pm_suite_find(name) ? pm_format(&w->memory, "%.38s_recorded", name) : name;
}

static const char *place(void *user, const char *contents, size_t bytes)
{
    (void)user;
    (void)bytes;
    return contents;
}

static void start(work *w)
{
    const pm_recorded *r = w->recorded;

    w->kernel = (pm_captured_kernel){.program = &w->program, .name = r->kernel};
    w->kernels[0] = &w->kernel;
    w->process = (pm_captured_process){
        .kernel_count = 1, .kernels = w->kernels, .launch_count = 1, .launches = &w->launch};
    w->replay = (pm_replay){.process = &w->process, .program = &w->program};
}

static void convert(void *user)
{
    work *w = user;
    const pm_source_kernel *kernel;
    pm_replay_words words = {
        .head = "", .source = "kernel.cl", .tolerance = TOLERANCE, .place = place};

    pm_require(&w->memory, pm_intercept_check(w->path, w->memory.err));
    w->recorded = pm_take(&w->memory, 1, sizeof *w->recorded);
    pm_recorded_read(&w->memory, w->path, w->recorded);
    start(w);
    describe(w);
    kernel = find_kernel(w);
    add_launch(w, kernel);
    pm_replay_fill(&w->memory, &w->replay, &w->info);
    if (w->replay.refused_count > 0)
        fault(w, "%s: there are no workloads of %s; record another launch", w->path,
              w->replay.refused[0].why);
    mark_unknown(w, kernel);
    pm_replay_find_loops(&w->memory, &w->replay);
    words.name = name_of(w);
    words.options = w->recorded->options;
    w->text = strdup(pm_text_get(pm_replay_write(&w->memory, &w->replay, &words)));
    if (!w->text)
        pm_leave(&w->memory, PM_FAILED, "%s: out of memory", w->path);
}

char *pm_intercept_text(const char *path, pm_worker *worker, pm_error *err)
{
    work w = {.path = path, .worker = worker};

    pm_attempt(&w.memory, convert, &w, err);
    pm_source_close(w.source);
    pm_memory_free(&w.memory);
    return w.text;
}
