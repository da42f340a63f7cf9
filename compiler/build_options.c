/* The options of clBuildProgram (OpenCL 1.2, 5.6.4), as arguments of clang. See build_options.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/build_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

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

void pm_arguments_free(pm_arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->items[i]);
    free(arguments->items);
    *arguments = (pm_arguments){0};
}

/* Copies the next word of *text into word, which is large enough, without its quotes, and moves
 * *text behind it. False: there is none. */
static bool next_word(const char **text, char *word)
{
    const char *at = *text + strspn(*text, " \t\r\n");
    char quote = '\0';

    if (!*at)
        return false;
    for (; *at && (quote || !strchr(" \t\r\n", *at)); at++) {
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
        else
            *word++ = *at;
    }
    *word = '\0';
    *text = at;
    return true;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static const char *const passed[] = {"-w",
                                     "-Werror",
                                     "-cl-std=CL1.0",
                                     "-cl-std=CL1.1",
                                     "-cl-std=CL1.2",
                                     "-cl-single-precision-constant",
                                     "-cl-denorms-are-zero",
                                     "-cl-fp32-correctly-rounded-divide-sqrt",
                                     "-cl-mad-enable",
                                     "-cl-no-signed-zeros",
                                     "-cl-unsafe-math-optimizations",
                                     "-cl-finite-math-only",
                                     "-cl-fast-relaxed-math",
                                     "-cl-uniform-work-group-size",
                                     NULL};

/* -cl-strict-aliasing is what clang does anyway, and it warns of the word. */
static const char *const without_use[] = {"-cl-kernel-arg-info", "-cl-strict-aliasing", NULL};

static pm_status refuse(const char *option, pm_error *err)
{
    if (strncmp(option, "-cl-std=", 8) == 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "build option %s: the trace engine compiles OpenCL C 1.0, 1.1 and 1.2",
                       option);
    return pm_fail(err, PM_BAD_INPUT,
                   "build option %s: not one that the trace engine has (-D, -U, -I, -w, -Werror, "
                   "-cl-std=CL1.2 and the -cl- options of OpenCL 1.2)",
                   option);
}

/* -D, -U or -I: the value is the rest of the word, or the next one (in word + 2 then). */
static pm_status add_definition(const char **text, char *word, pm_arguments *arguments,
                                pm_error *err)
{
    if (!word[2] && !next_word(text, word + 2))
        return pm_fail(err, PM_BAD_INPUT, "build option %s: nothing follows it", word);
    pm_arguments_add(arguments, word);
    return PM_OK;
}

/* Adds one option that is no definition. */
typedef pm_status (*add_fn)(const char *word, pm_arguments *arguments, const pm_log *log,
                            pm_error *err);

static pm_status add_opencl(const char *word, pm_arguments *arguments, const pm_log *log,
                            pm_error *err)
{
    if (is_one_of(word, passed))
        pm_arguments_add(arguments, word);
    else if (strcmp(word, "-cl-opt-disable") == 0)
        pm_notice(log, "build option %s is left out: optimised code is what counts", word);
    else if (!is_one_of(word, without_use))
        return refuse(word, err);
    return PM_OK;
}

static pm_status add_options(const char *options, add_fn add, pm_arguments *arguments,
                             const pm_log *log, pm_error *err)
{
    const char *text = options ? options : "";
    char *word = malloc(strlen(text) + 1);
    pm_status status = PM_OK;

    if (!word)
        return pm_fail(err, PM_FAILED, "out of memory for build options");
    while (status == PM_OK && next_word(&text, word)) {
        if (word[0] == '-' && word[1] && strchr("DUI", word[1]))
            status = add_definition(&text, word, arguments, err);
        else
            status = add(word, arguments, log, err);
    }
    free(word);
    return status;
}

pm_status pm_build_options(const char *options, pm_arguments *arguments, const pm_log *log,
                           pm_error *err)
{
    /* The last -cl-std counts. */
    pm_arguments_add(arguments, "-cl-std=CL1.2");
    return add_options(options, add_opencl, arguments, log, err);
}

/* ---- CUDA ---------------------------------------------------------------------------------- */

/* What nvcc makes of --use_fast_math: denormals are 0, and divisions and square roots are not
 * rounded as IEEE 754 has it. */
static void add_fast_math(pm_arguments *arguments)
{
    pm_arguments_add(arguments, "-ffast-math");
    pm_arguments_add(arguments, "-fcuda-flush-denormals-to-zero");
    pm_arguments_add(arguments, "-DPM_FAST_MATH=1");
}

/* nvcc's word for an option has one dash or two. */
static bool starts(const char *word, const char *with)
{
    const size_t length = strlen(with);

    return strncmp(word, with, length) == 0 ||
           (word[0] == '-' && strncmp(word + 1, with, length) == 0);
}

static pm_status add_cuda(const char *word, pm_arguments *arguments, const pm_log *log,
                          pm_error *err)
{
    /* Of the code for the host, of the GPU that runs it, and of how nvcc goes about it. */
    static const char *const left_out[] = {
        "-O",   "-arch=",   "-gencode=",   "-lineinfo", "-expt-",         "-extended-lambda",
        "-m64", "-Xptxas=", "-Xcompiler=", "-std=gnu",  "-maxrregcount=", "-restrict",
        "-w",   "-rdc=",    "-g"};

    (void)log;
    if (starts(word, "-std=c++")) {
        pm_arguments_add(arguments, strstr(word, "-std="));
        return PM_OK;
    }
    if (starts(word, "-use_fast_math")) {
        add_fast_math(arguments);
        return PM_OK;
    }
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (starts(word, left_out[i]))
            return PM_OK;
    return pm_fail(err, PM_BAD_INPUT,
                   "build option %s: not one that the trace engine has for CUDA (-D, -U, -I, "
                   "-std=c++17, --use_fast_math; -O3, -arch=, -lineinfo and their like change "
                   "nothing)",
                   word);
}

pm_status pm_cuda_options(const char *options, pm_arguments *arguments, const pm_log *log,
                          pm_error *err)
{
    pm_arguments_add(arguments, "-std=c++17");
    return add_options(options, add_cuda, arguments, log, err);
}
