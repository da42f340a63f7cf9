/* How clang is told to compile kernels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_ARGUMENTS_H
#define PM_COMPILER_CLANG_ARGUMENTS_H

#include "compiler/options/build_options.h"
#include "compiler/options/libclc_names.h"

typedef struct {
    const char *clang, *libclc;   /* their paths */
    const pm_libclc_names *names; /* libclc's */
    const char *headers;          /* the folder of clang's own, without include; wanted for CUDA */
    const char *source;           /* of which only the words matter: prelude_words.h */
    const char *source_path;      /* which also tells the language */
    const pm_arguments *options;  /* of the build */
} pm_clang_request;

/* Everything from the program's name to the - for a source on standard input. */
pm_status pm_clang_arguments(const pm_clang_request *request, pm_arguments *arguments,
                             pm_error *err);

/* Of libclang, for a CUDA source that is read: the same but for what only code needs, and -x comes
 * first. headers is the folder of clang's own, without include. */
pm_status pm_cuda_parse_arguments(const char *headers, pm_arguments *arguments, pm_error *err);
/* Like pm_cuda_parse_arguments, for a source in OpenCL C. */
void pm_opencl_parse_arguments(const char *headers, pm_arguments *arguments);
/* Of libclang, for the host code of a CUDA or HIP source that is read for its launches. The prelude
 * stands for all headers that are not the user's own. */
pm_status pm_host_parse_arguments(pm_arguments *arguments, pm_error *err);

#endif
