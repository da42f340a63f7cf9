/* nvcc's options, as arguments of compilers. See cuda_options.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/options/cuda_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/build_words.h"

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

/* Of the code for the host, of the GPU that runs it, and of how nvcc goes about it. */
static bool is_left_out(const char *word)
{
    static const char *const left_out[] = {
        "-O",   "-arch=",   "-gencode=",   "-lineinfo", "-expt-",         "-extended-lambda",
        "-m64", "-Xptxas=", "-Xcompiler=", "-std=gnu",  "-maxrregcount=", "-restrict",
        "-w",   "-rdc=",    "-g"};

    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (starts(word, left_out[i]))
            return true;
    return false;
}

static pm_status add_option(const pm_build_word *found, const char *word, bool nvcc,
                            pm_arguments *arguments, pm_error *err)
{
    if (found->kind == PM_WORD_TORN)
        return pm_fail(err, PM_BAD_INPUT, "build option %s: nothing follows it", word);
    if (found->kind == PM_WORD_DEFINE || found->kind == PM_WORD_FOLDER ||
        (nvcc && (starts(word, "-use_fast_math") || starts(word, "-maxrregcount="))))
        pm_arguments_add(arguments, word);
    else if (starts(word, "-std=c++"))
        pm_arguments_add(arguments, strstr(word, "-std="));
    else if (starts(word, "-use_fast_math"))
        add_fast_math(arguments);
    else if (!is_left_out(word))
        return pm_fail(err, PM_BAD_INPUT,
                       "build option %s: not one that perfmodel has for CUDA (-D, -U, -I, "
                       "-std=c++17, --use_fast_math; -O3, -arch=, -lineinfo and their like change "
                       "nothing)",
                       word);
    return PM_OK;
}

static pm_status add_options(const char *options, bool nvcc, pm_arguments *arguments, pm_error *err)
{
    const char *text = options ? options : "";
    char *word = malloc(strlen(text) + 1);
    pm_build_word found;
    pm_status status = PM_OK;

    if (!word)
        return pm_fail(err, PM_FAILED, "out of memory for build options");
    while (status == PM_OK && pm_build_word_next(&text, word, &found))
        status = add_option(&found, word, nvcc, arguments, err);
    free(word);
    return status;
}

pm_status pm_cuda_options(const char *options, pm_arguments *arguments, pm_error *err)
{
    pm_arguments_add(arguments, "-std=c++17");
    return add_options(options, false, arguments, err);
}

pm_status pm_nvcc_options(const char *options, pm_arguments *arguments, pm_error *err)
{
    pm_status status = add_options(options, true, arguments, err);

    for (size_t i = 0; i < arguments->count; i++)
        if (strncmp(arguments->items[i], "-std=", 5) == 0)
            return status;
    pm_arguments_add(arguments, "-std=c++17"); /* which NVRTC takes once */
    return status;
}
