/* Explains why a CUDA source does not compile and how to mend it. See cuda_explain.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_source/cuda_explain.h"

#include <string.h>

#include "base/error.h"
#include "base/strings.h"

#define PARTS_OF_CUB "other parts of CUB than reductions, prefix sums, loads, stores and exchanges"
#define LEFT_OUT                                                                                   \
    " are left out: write what the kernel needs of them into the source, or trace another"
#define NOT_TRACED " cannot be traced: count this kernel without it"

const char *pm_cuda_undeclared(const char *message, size_t *length, bool *is_type)
{
    static const struct {
        const char *begin;
        bool is_type;
    } known[] = {{"unknown type name '", true}, {"use of undeclared identifier '", false}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *name = strstr(message, known[i].begin);

        if (!name)
            continue;
        name += strlen(known[i].begin);
        *length = 0;
        while (pm_is_word(name[*length]))
            ++*length;
        *is_type = known[i].is_type;
        return *length > 0 ? name : NULL;
    }
    return NULL;
}

/* Adds to the error for an undeclared name where the name may come from: a header that was not
 * found, or a macro that the program's makefile defines. */
static pm_status explain_name(const char *missing, pm_error *err)
{
    const pm_error was = *err;
    size_t length;
    bool is_type;
    const char *name = pm_cuda_undeclared(was.text, &length, &is_type);

    if (!name)
        return was.status;
    if (*missing)
        return pm_fail(err, was.status,
                       "%.600s; a header that is not found may declare it (%.200s): name its "
                       "folder with -I, in --build-options or in options of a workload file, or "
                       "give the file as nvcc -E or cpp writes it",
                       was.text, missing);
    return pm_fail(err, was.status,
                   "%.600s; if the program's makefile defines it, say so, for example "
                   "--build-options -D%.*s=%s",
                   was.text, (int)length, name, is_type ? "float" : "256");
}

pm_status pm_cuda_explain(const char *missing, pm_error *err)
{
    static const struct {
        const char *words, *why;
    } known[] = {
        {"'thrust", "headers of Thrust" LEFT_OUT},
        {"'cub", PARTS_OF_CUB LEFT_OUT},
        {"'hipcub", PARTS_OF_CUB LEFT_OUT},
        {"'curand", "headers of cuRAND" LEFT_OUT},
        {"'cuda::", "headers of libcu++" LEFT_OUT},
        {"identifier 'cuda'", "headers of libcu++" LEFT_OUT},
        {"in namespace 'cuda'", "headers of libcu++" LEFT_OUT},
        {"in namespace 'std'", "headers of C++ but for numbers and types" LEFT_OUT},
        {"file not found",
         "it was looked for in the source's folder and in those of -I: name its folder with -I in "
         "options, or give the file as nvcc -E or cpp writes it"},
        {"'nvcuda", "a tensor core" NOT_TRACED},
        {"'__pipeline_", "an asynchronous copy" NOT_TRACED},
        {"'memcpy_async'", "an asynchronous copy" NOT_TRACED},
        {"reference to __global__ function", "a launch from a kernel" NOT_TRACED},
        {"cudaConfigureCall", "a launch from a kernel" NOT_TRACED},
        {"identifier 'cudaMalloc'", "memory that a kernel allocates" NOT_TRACED},
        {"cannot use 'throw'", "an exception" NOT_TRACED},
        {"cannot use 'try'", "an exception" NOT_TRACED},
    };
    const pm_error was = *err;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(was.text, known[i].words))
            return pm_fail(err, was.status, "%s; %s", was.text, known[i].why);
    return explain_name(missing, err);
}
