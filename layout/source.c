/* Loads the half of the layouts that needs libclang, and asks clang what that one cannot know. See
 * source.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "source.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "collector/share.h"
#include "collector/trace/compile.h"
#include "collector/trace/subprocess.h"
#include "clang/module.h"

enum { OUTPUT_LIMIT = 1 << 26, MESSAGES_LIMIT = 1 << 16, SECONDS_LIMIT = 60 };

struct pm_source {
    const pm_module *module;
    pm_module_source *source;
    char *text, *path;
    char clang[PATH_MAX];
    pm_arguments arguments; /* of libclang */
    pm_arguments options;   /* those of them that the preprocessor needs */
};

/* ---- the module ---------------------------------------------------------------------------- */

static pm_status load(const pm_module **module, pm_error *err)
{
    char path[PATH_MAX];
    pm_status status = pm_module_path("layout.so", path, sizeof path, err);
    const pm_module *found;
    void *library;

    *module = NULL;
    if (status != PM_OK)
        return status;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library)
        return pm_fail(err, PM_FAILED, "the layouts' module does not load: %s; install libclang %d",
                       dlerror(), PM_LLVM_MAJOR);
    found = dlsym(library, PM_MODULE_SYMBOL);
    if (found && found->version == PM_MODULE_VERSION)
        *module = found;
    else
        status = pm_fail(err, PM_FAILED, "%s is of another version of perfmodel; install it again",
                         path);
    dlclose(library); /* NODELETE: the code stays */
    return status;
}

/* ---- clang --------------------------------------------------------------------------------- */

/* Runs clang; output is to be freed. A source that it does not take is PM_BAD_INPUT. */
static pm_status run(const pm_source *source, char *const *argv, const char *input,
                     size_t input_bytes, char **output, pm_error *err)
{
    const pm_subprocess_request request = {.input = input,
                                           .input_bytes = input_bytes,
                                           .output_limit = OUTPUT_LIMIT,
                                           .messages_limit = MESSAGES_LIMIT,
                                           .seconds_limit = SECONDS_LIMIT};
    pm_subprocess_result result;
    pm_status status = PM_OK;
    int code = pm_subprocess_run(argv, &request, &result);

    if (code != 0)
        status = pm_fail(err, PM_FAILED, "%s: %s: %s", source->path, source->clang, strerror(code));
    else if (result.too_slow || result.too_much || result.signal)
        status =
            pm_fail(err, PM_FAILED, "%s: %s was ended: too slow, too much output, or signal %d",
                    source->path, source->clang, result.signal);
    else if (result.exit_code != 0) {
        result.messages[strcspn(result.messages, "\n")] = '\0';
        status = pm_fail(err, PM_BAD_INPUT, "%s", result.messages);
    } else {
        *output = result.output;
        result.output = NULL;
    }
    pm_subprocess_free(&result);
    return status;
}

static pm_status resource_folder(const pm_source *source, char *folder, size_t size, pm_error *err)
{
    char *argv[] = {(char *)(uintptr_t)source->clang, (char[]){"-print-resource-dir"}, NULL};
    char *output = NULL;
    pm_status status = run(source, argv, NULL, 0, &output, err);

    if (status != PM_OK)
        return status;
    output[strcspn(output, "\n")] = '\0';
    if ((size_t)snprintf(folder, size, "%s", output) >= size || !*output)
        status = pm_fail(err, PM_FAILED, "%s does not say where its headers are", source->clang);
    free(output);
    return status;
}

/* -cl-no-stdinc leaves OpenCL's own words as they are; libclang knows them. */
static pm_status preprocess(void *user, char **text, pm_error *err)
{
    static const char *const fixed[] = {"-E",
                                        "-C",
                                        "-x",
                                        "cl",
                                        "--target=nvptx64--",
                                        "-cl-no-stdinc",
                                        "-fno-color-diagnostics",
                                        "-fno-caret-diagnostics",
                                        "-Wno-unused-command-line-argument"};
    const pm_source *source = user;
    pm_arguments arguments = {0};
    size_t bytes = 0;
    char *input = pm_trace_input(source->text, source->path, &bytes);
    pm_status status = pm_arguments_add(&arguments, source->clang, err);

    if (!input)
        status = pm_fail(err, PM_FAILED, "%s: out of memory", source->path);
    for (size_t i = 0; status == PM_OK && i < sizeof fixed / sizeof *fixed; i++)
        status = pm_arguments_add(&arguments, fixed[i], err);
    for (size_t i = 0; status == PM_OK && i < source->options.count; i++)
        status = pm_arguments_add(&arguments, source->options.items[i], err);
    if (status == PM_OK)
        status = pm_arguments_add(&arguments, "-", err);
    if (status == PM_OK)
        status = run(source, arguments.items, input, bytes, text, err);
    pm_arguments_free(&arguments);
    free(input);
    return status;
}

static pm_status make_arguments(pm_source *source, const char *build_options, const pm_log *log,
                                pm_error *err)
{
    char folder[PATH_MAX], resource[PATH_MAX + 32], headers[PATH_MAX + 32];
    const char *const fixed[] = {
        "-x", "cl", "--target=nvptx64--", "-Wno-everything", resource, "-isystem", headers};
    pm_status status = resource_folder(source, folder, sizeof folder, err);

    if (status != PM_OK)
        return status;
    snprintf(resource, sizeof resource, "-resource-dir=%s", folder);
    snprintf(headers, sizeof headers, "%s/include", folder);
    for (size_t i = 0; status == PM_OK && i < sizeof fixed / sizeof *fixed; i++)
        status = pm_arguments_add(&source->arguments, fixed[i], err);
    if (status == PM_OK)
        status = pm_build_options(build_options, &source->options, log, err);
    if (status == PM_OK)
        status = pm_trace_add_folder(&source->options, source->path, err);
    for (size_t i = 0; status == PM_OK && i < source->options.count; i++)
        status = pm_arguments_add(&source->arguments, source->options.items[i], err);
    return status;
}

/* ---- the source ---------------------------------------------------------------------------- */

static pm_status open_in_module(pm_source *source, pm_error *err)
{
    const pm_module_request request = {.text = source->text,
                                       .path = source->path,
                                       .arguments = (const char *const *)source->arguments.items,
                                       .argument_count = source->arguments.count,
                                       .preprocess = preprocess,
                                       .user = source};

    source->source = source->module->open(&request, err);
    return source->source ? PM_OK : PM_FAILED;
}

pm_source *pm_source_open(const char *text, const char *path, const char *build_options,
                          const pm_log *log, pm_error *err)
{
    pm_source *source = calloc(1, sizeof *source);
    pm_status status = PM_OK;

    if (source) {
        source->text = strdup(text);
        source->path = strdup(path ? path : "kernel.cl");
    }
    if (!source || !source->text || !source->path)
        status = pm_fail(err, PM_FAILED, "%s: out of memory", path ? path : "kernel.cl");
    if (status == PM_OK)
        status = load(&source->module, err);
    if (status == PM_OK)
        status = pm_trace_clang_find(source->clang, sizeof source->clang, err);
    if (status == PM_OK)
        status = make_arguments(source, build_options, log, err);
    if (status == PM_OK)
        status = open_in_module(source, err);
    if (status == PM_OK)
        return source;
    pm_source_close(source);
    return NULL;
}

void pm_source_close(pm_source *source)
{
    if (!source)
        return;
    if (source->source)
        source->module->close(source->source);
    pm_arguments_free(&source->arguments);
    pm_arguments_free(&source->options);
    free(source->text);
    free(source->path);
    free(source);
}

const pm_source_info *pm_source_describe(const pm_source *source)
{
    return source->module->describe(source->source);
}

pm_status pm_source_rewrite(pm_source *source, const pm_plan *const *plans, pm_rewritten *out,
                            pm_error *err)
{
    return source->module->rewrite(source->source, plans, out, err);
}

pm_status pm_source_share(pm_source *source, const pm_share_request *request, pm_shared *out,
                          pm_error *err)
{
    return source->module->share(source->source, request, out, err);
}

void pm_rewritten_free(pm_rewritten *rewritten)
{
    for (size_t k = 0; k < rewritten->kernel_count; k++) {
        free(rewritten->kernels[k].name);
        free(rewritten->kernels[k].params);
    }
    free(rewritten->kernels);
    free(rewritten->text);
    *rewritten = (pm_rewritten){0};
}
