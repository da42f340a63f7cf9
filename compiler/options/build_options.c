/* Translates the options of clBuildProgram (OpenCL 1.2, section 5.6.4) to arguments of clang. See
 * build_options.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/options/build_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/build_words.h"

void pm_arguments_add(pm_arguments *arguments, const char *item)
{
    char *copy;

    if (!arguments->failed && arguments->count + 1 >= arguments->room) {
        size_t room = arguments->room * 2 + 16;
        char **grown = realloc(arguments->items, room * sizeof *grown);

        arguments->failed = !grown;
        if (grown) {
            arguments->items = grown;
            arguments->room = room;
        }
    }
    copy = arguments->failed ? NULL : strdup(item);
    arguments->failed = !copy;
    if (copy) {
        arguments->items[arguments->count++] = copy;
        arguments->items[arguments->count] = NULL;
    }
}

void pm_arguments_add_all(pm_arguments *arguments, const char *const *list)
{
    for (; list && *list; list++)
        pm_arguments_add(arguments, *list);
}

void pm_arguments_free(pm_arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->items[i]);
    free(arguments->items);
    *arguments = (pm_arguments){0};
}

/* Adds clang's option for the version of OpenCL C. Version 2.0 is compiled as 3.0. The trace engine
 * lacks the features that became optional in 3.0: generic pointers, pipes and queues. */
static pm_status add_standard(const char *word, pm_arguments *arguments, pm_error *err)
{
    static const char *const known[][2] = {
        {"1.0", "1.0"}, {"1.1", "1.1"}, {"1.2", "1.2"}, {"2.0", "3.0"}, {"3.0", "3.0"}};
    char standard[24];

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        snprintf(standard, sizeof standard, "-cl-std=CL%s", known[i][0]);
        if (strcmp(word, standard) != 0)
            continue;
        snprintf(standard, sizeof standard, "-cl-std=CL%s", known[i][1]);
        pm_arguments_add(arguments, standard);
        return PM_OK;
    }
    return pm_fail(
        err, PM_BAD_INPUT,
        "build option %s: the trace engine compiles OpenCL C: CL1.0, CL1.1, CL1.2, CL2.0 "
        "or CL3.0",
        word);
}

static pm_status add_option(const pm_build_word *found, const char *word, pm_arguments *arguments,
                            pm_once *once, const pm_log *log, pm_error *err)
{
    switch (found->kind) {
    case PM_WORD_PLAIN:
    case PM_WORD_DEFINE:
    case PM_WORD_FOLDER:
        pm_arguments_add(arguments, word);
        return PM_OK;
    case PM_WORD_STANDARD:
        return add_standard(word, arguments, err);
    case PM_WORD_IDLE:
    case PM_WORD_REGISTERS:
    case PM_WORD_RESTRICT:
        return PM_OK;
    case PM_WORD_SLOW:
        pm_once_notice(once, log, "build option %s is left out: optimised code is what counts",
                       word);
        return PM_OK;
    case PM_WORD_WARNING:
        pm_once_notice(once, log, "build option %s is left out: it changes no code", word);
        return PM_OK;
    case PM_WORD_NVIDIA:
    case PM_WORD_VENDOR:
        pm_once_notice(once, log,
                       "build option %s is left out: only a vendor's own compiler knows it", word);
        return PM_OK;
    case PM_WORD_TORN:
        return pm_fail(err, PM_BAD_INPUT, "build option %s: nothing follows it", word);
    default:
        return pm_fail(err, PM_BAD_INPUT,
                       "build option %s: not one that the trace engine has (-D, -U, -I, -w, "
                       "-Werror, -cl-std=CL1.2 and the -cl- options of OpenCL 1.2)",
                       word);
    }
}

pm_status pm_build_options(const char *options, pm_arguments *arguments, pm_once *once,
                           const pm_log *log, pm_error *err)
{
    const char *text = options ? options : "";
    char *word = malloc(strlen(text) + 1);
    pm_build_word found;
    pm_status status = PM_OK;

    if (!word)
        return pm_fail(err, PM_FAILED, "out of memory for build options");
    /* Add the default version of OpenCL C first; a later -cl-std overrides it. */
    pm_arguments_add(arguments, "-cl-std=CL1.2");
    /* Enable extensions that GPUs have but clang's NVPTX target does not list. Kernels with images
     * can then be compiled, but are not traced. */
    pm_arguments_add(arguments, "-Xclang");
    pm_arguments_add(arguments, "-cl-ext=+cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,"
                                "+__opencl_c_images");
    while (status == PM_OK && pm_build_word_next(&text, word, &found))
        status = add_option(&found, word, arguments, once, log, err);
    free(word);
    return status;
}

pm_status pm_compiler_add_folder(pm_arguments *arguments, const char *source_path, pm_error *err)
{
    const char *slash = strrchr(source_path, '/');
    char option[4096 + 3];
    int length = slash == source_path ? 1 : slash ? (int)(slash - source_path) : 0;

    if ((size_t)snprintf(option, sizeof option, "-I%.*s", length ? length : 1,
                         length ? source_path : ".") >= sizeof option)
        return pm_fail(err, PM_BAD_INPUT, "%s: too long for a path", source_path);
    pm_arguments_add(arguments, option);
    return PM_OK;
}
