/* Makes the arguments with which clang compiles kernels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_ARGUMENTS_H
#define PM_COMPILER_CLANG_ARGUMENTS_H

#include "compiler/options/build_options.h"
#include "compiler/options/libclc_names.h"

typedef struct {
    const char *clang, *libclc;   /* paths of clang and of libclc's bitcode */
    const pm_libclc_names *names; /* names of libclc's functions */
    const char *headers;         /* clang's resource folder, lib/clang/VERSION; required for CUDA */
    const char *source;          /* text in which words are searched (prelude_words.h) */
    const char *source_path;     /* also determines the language */
    const pm_arguments *options; /* build options */
} pm_clang_request;

/* All arguments, from the path of clang to "-" for a source on standard input. */
pm_status pm_clang_arguments(const pm_clang_request *request, pm_arguments *arguments,
                             pm_error *err);

/* Arguments of libclang to parse a CUDA source. They lack the options for code generation and start
 * with -x. headers is clang's resource folder, lib/clang/VERSION. */
pm_status pm_cuda_parse_arguments(const char *headers, pm_arguments *arguments, pm_error *err);
/* Like pm_cuda_parse_arguments, for a source in OpenCL C. */
void pm_opencl_parse_arguments(const char *headers, pm_arguments *arguments);
/* Arguments of libclang to parse the host code of a CUDA or HIP source for its launches. The
 * prelude replaces all headers except the user's own. */
pm_status pm_host_parse_arguments(pm_arguments *arguments, pm_error *err);

#endif
