/* Parses a source for which the user has written no workload file, and chooses those of its kernels
 * that are launched. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/text.h"
#include "compiler/cuda_source/cuda_source.h"
#include "compiler/cuda_source/preprocessed.h"
#include "compiler/language.h"
#include "program/bare/bare.h"
#include "program/build_words.h"

/* Returns the folder of the OpenCL source, for a build option -I. OpenCL compilers get only the
 * text of the source and do not know its folder. */
static const char *own_folder(pm_bare *b)
{
    const char *slash = strrchr(b->source_path, '/');
    const char *folder =
        pm_format(&b->memory, "%.*s", slash ? (int)(slash - b->source_path) + 1 : 1,
                  slash ? b->source_path : ".");
    char absolute[PATH_MAX];

    return realpath(folder, absolute) ? pm_copy(&b->memory, absolute) : folder;
}

/* If the source is the output of a preprocessor (nvcc -E), removes the text of host headers and
 * toolkit headers from it. */
static void undo_preprocessor(pm_bare *b)
{
    pm_text text = {0};
    char *own;

    if (!pm_preprocessed_text(b->workload->source, pm_cuda_is_toolkit_header, &text)) {
        pm_text_free(&text);
        return;
    }
    own = pm_text_take(&text);
    if (!own)
        pm_leave(&b->memory, PM_FAILED, "%s: out of memory", b->path);
    free(b->workload->source);
    b->workload->source = own;
}

void pm_bare_read_text(pm_bare *b)
{
    pm_workload *w;

    pm_workload_free(b->workload);
    b->workload = w = pm_workload_create("bare", "plain", "assumed");
    if (!w)
        pm_leave(&b->memory, PM_FAILED, "%s: out of memory", b->path);
    pm_workload_source_file(w, b->source_path);
    if (w->error.status == PM_OK && b->is_cuda)
        undo_preprocessor(b);
    if (w->error.status == PM_OK && (b->build_options || b->has_blocks))
        pm_workload_options(w, "%s", b->build_options ? b->build_options : "");
    if (w->error.status == PM_OK && !b->has_blocks && strstr(w->source, "#include"))
        pm_workload_options(w, "%s -I%s", w->build_options, own_folder(b));
    if (w->error.status != PM_OK)
        pm_leave(&b->memory, w->error.status, "%s", w->error.text);
}

/* Adds a launch of each kernel in b->wanted to the workload. The parser needs the launches to know
 * which instances of templates are used. */
static void add_launches(pm_bare *b)
{
    static const size_t one = 1;
    pm_workload *w = b->workload;

    for (size_t i = 0; i < b->wanted_count; i++)
        pm_workload_launch(w, b->wanted[i], 1, &one, &one);
    if (w->error.status != PM_OK)
        pm_leave(&b->memory, w->error.status, "%s", w->error.text);
}

/* Reports that the source defines no kernel although it launches some, with the probable reason, a
 * missing header. Returns the status. */
static pm_status fail_without_kernel(const pm_bare *b, pm_error *err)
{
    const char *missing = pm_source_missing_headers(b->source);

    if (*missing)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: has no kernel; headers that it includes are not found (%.200s): name "
                       "their folder with --build-options -I",
                       b->path, missing);
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: has no kernel; name a file with one, or the workload file that launches "
                   "what this file has",
                   b->path);
}

static pm_status fail_without(const pm_bare *b, const char *name, pm_error *err)
{
    const pm_error *left_out = pm_source_left_out(b->source);
    char list[300] = "";

    if (left_out)
        return pm_fail(err, PM_BAD_INPUT, "%s", left_out->text);
    if (b->info->kernel_count == 0)
        return fail_without_kernel(b, err);
    for (size_t k = 0; k < b->info->kernel_count; k++)
        pm_list_add(list, sizeof list, "%s", b->info->kernels[k].name);
    return pm_fail(err, PM_BAD_INPUT, "%s: no kernel %.100s; there is: %s", b->path, name, list);
}

/* Sets b->wanted to all kernels whose arguments a workload file can express. */
static pm_status want_all(pm_bare *b, pm_error *err)
{
    const char **names = pm_take(&b->memory, b->info->kernel_count + 1, sizeof *names);

    for (size_t k = 0; k < b->info->kernel_count; k++)
        names[b->wanted_count++] = b->info->kernels[k].name;
    b->wanted = names;
    if (b->wanted_count > 0)
        return PM_OK;
    if (pm_source_left_out(b->source))
        return pm_fail(err, PM_BAD_INPUT, "%s", pm_source_left_out(b->source)->text);
    if (b->info->left)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: none of its kernels can be launched without more: %s", b->path,
                       b->info->left);
    return fail_without_kernel(b, err);
}

static pm_status find_kernels(pm_bare *b, pm_error *err)
{
    b->kernels = pm_take(&b->memory, b->wanted_count, sizeof *b->kernels);
    for (size_t i = 0; i < b->wanted_count; i++) {
        const char *name =
            b->workload->launch_count > i ? b->workload->launches[i].kernel : b->wanted[i];

        b->kernels[i] = pm_source_find_kernel(b->info, name);
        if (!b->kernels[i])
            return fail_without(b, b->wanted[i], err);
    }
    return PM_OK;
}

/* Replaces each instance of a template that is launched by a function without template parameters.
 * If an instance cannot be written as a function, only the declarations of the kernels are kept.
 * They suffice to plan launches. */
static pm_status write_instances(pm_bare *b, pm_error *err)
{
    pm_worker *worker = pm_session_worker(b->session);
    pm_status status = pm_workload_instances(b->workload, false, worker, NULL, err);
    pm_error ignored = {0};

    if (status != PM_BAD_INPUT || b->wanted_count == 0)
        return status;
    if (pm_workload_declare_instances(b->workload, worker, &ignored) != PM_OK)
        return status;
    *err = (pm_error){0};
    return PM_OK;
}

static pm_status describe_text(pm_bare *b, pm_error *err)
{
    pm_worker *worker = pm_session_worker(b->session);

    pm_source_close(b->source);
    b->source = NULL;
    if (write_instances(b, err) != PM_OK)
        return err->status;
    b->source = pm_source_open(b->workload->source, b->workload->source_path,
                               b->workload->build_options, worker, NULL, err);
    if (!b->source)
        return err->status;
    b->info = pm_source_describe(b->source);
    if (b->wanted_count == 0 && want_all(b, err) != PM_OK)
        return err->status;
    return find_kernels(b, err);
}

/* Returns the build options except the options -include. */
static const char *without_files(pm_bare *b, const char *options)
{
    pm_text text = {.memory = &b->memory};
    char *word = pm_take(&b->memory, strlen(options) + 1, 1);
    pm_build_word found;

    while (pm_build_word_next(&options, word, &found))
        if (found.kind != PM_WORD_FILE)
            pm_text_add(&text, "%s%.*s", text.length ? " " : "", (int)found.length, found.start);
    return pm_text_get(&text);
}

/* Replaces #include directives and -include options by the text of the files, so that the launched
 * instances of templates in headers become functions of the source. Returns false if this changes
 * nothing. */
static bool include_headers(pm_bare *b)
{
    pm_workload *w = b->workload;
    const pm_cuda_request request = {
        .text = w->source, .path = b->path, .build_options = w->build_options};
    char *text = NULL;

    if (!b->is_cuda ||
        (!strstr(w->source, "#include \"") && !strstr(w->build_options, "-include")) ||
        pm_cuda_source(&request, &text, NULL) != PM_OK)
        return false;
    free(w->source);
    w->source = text;
    pm_workload_options(w, "%s", without_files(b, w->build_options));
    return w->error.status == PM_OK;
}

static pm_status describe(pm_bare *b, pm_error *err)
{
    pm_error again = {0};
    pm_status status;

    add_launches(b);
    status = describe_text(b, err);
    if (status != PM_BAD_INPUT || !include_headers(b))
        return status;
    if (describe_text(b, &again) != PM_OK)
        return status;
    *err = (pm_error){0};
    return PM_OK;
}

/* ---- kernels that do not compile ------------------------------------------------------------- */

/* Adds a build option that ignores headers that are not found, because kernels often do not need
 * them. Reads the source again. */
static void be_lenient(pm_bare *b)
{
    b->build_options =
        pm_format(&b->memory, "%s%s--leave-out-missing", b->build_options ? b->build_options : "",
                  b->build_options ? " " : "");
    pm_bare_read_text(b);
}

/* Parses the source as if its host code launched only this kernel, to find out whether the kernel
 * compiles. */
static pm_status describe_alone(pm_bare *b, const char *kernel, pm_error *err)
{
    const char *const *wanted = b->wanted;
    const size_t count = b->wanted_count;
    pm_status status;

    b->wanted = &kernel;
    b->wanted_count = 1;
    pm_bare_read_text(b);
    status = describe(b, err);
    b->wanted = wanted;
    b->wanted_count = count;
    return status;
}

void pm_bare_drop_kernel(pm_bare *b, const char *kernel)
{
    const char **names = pm_take(&b->memory, b->wanted_count + 1, sizeof *names);
    size_t count = 0;

    for (size_t i = 0; i < b->wanted_count; i++)
        if (strcmp(b->wanted[i], kernel) != 0) {
            b->host.launches[count] = b->host.launches[i];
            names[count++] = b->wanted[i];
        }
    b->wanted = names;
    b->wanted_count = b->host.launch_count = count;
}

/* Removes from b->wanted each kernel that does not compile, with a notice. If no kernel would
 * remain, the last one is removed without a notice. Sets err only if the worker process failed. */
static void drop_kernels(pm_bare *b, pm_error *err)
{
    for (size_t i = 0; i < b->wanted_count;) {
        const char *kernel = b->wanted[i];
        pm_error why = {0};
        const pm_status status = describe_alone(b, kernel, &why);

        if (status == PM_FAILED) {
            *err = why;
            return;
        }
        if (status == PM_OK) {
            i++;
            continue;
        }
        pm_bare_drop_kernel(b, kernel);
        if (b->wanted_count > 0)
            *pm_add(&b->memory, b->left_out, b->left_out_count) =
                pm_format(&b->memory, "%s: kernel %s left out: %s", b->path, kernel, why.text);
    }
}

/* Adds to the list of assumptions which headers were not found, and that calls of printf are not
 * counted. */
static void say_missing(pm_bare *b)
{
    const char *missing = pm_source_missing_headers(b->source);

    if (b->is_cuda && pm_source_calls(b->source, "printf"))
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) = "printf in kernels is not counted";

    if (*missing)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) =
            pm_format(&b->memory, "%s not found, left out: %s",
                      strchr(missing, ',') ? "headers" : "header", missing);
}

void pm_bare_describe(pm_bare *b)
{
    pm_error why = {0}, again = {0};
    pm_status status = describe(b, &why);

    if (status == PM_BAD_INPUT && b->is_cuda && !pm_lenient_option(b->build_options)) {
        be_lenient(b);
        why = (pm_error){0};
        status = describe(b, &why);
    }
    if (status == PM_BAD_INPUT && pm_bare_describe_by_nvidia(b))
        return;
    if (status == PM_BAD_INPUT && b->host.launch_count > 1 && !b->is_draft) {
        drop_kernels(b, &why);
        pm_bare_read_text(b);
        status = b->wanted_count > 0 ? describe(b, &again) : PM_BAD_INPUT;
        if (status == PM_FAILED)
            why = again;
    }
    if (status != PM_OK) {
        *b->memory.err = why;
        pm_give_up(&b->memory, status);
    }
    if (b->is_cuda)
        pm_bare_add_facts(b);
    say_missing(b);
}
