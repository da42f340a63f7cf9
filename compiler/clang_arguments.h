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
    const char *source;          /* text of the source, in which prelude_words.h searches names */
    const char *source_path;     /* path of the source; its suffix says the language */
    const pm_arguments *options; /* build options */
} pm_clang_request;

/* Makes all arguments of clang, from its path to "-" for a source on standard input. */
pm_status pm_clang_arguments(const pm_clang_request *request, pm_arguments *arguments,
                             pm_error *err);

/* Makes the arguments of libclang to parse a CUDA source. They have no options for code generation
 * and start with -x. headers: clang's resource folder, lib/clang/VERSION. */
pm_status pm_cuda_parse_arguments(const char *headers, pm_arguments *arguments, pm_error *err);
/* Makes the arguments of libclang to parse a source in OpenCL C. headers: clang's resource
 * folder. */
void pm_opencl_parse_arguments(const char *headers, pm_arguments *arguments);
/* Makes the arguments of libclang to parse the host code of a CUDA or HIP source, to find its
 * launches. A prelude (compiler/cuda/host) replaces all headers except the user's own. */
pm_status pm_host_parse_arguments(pm_arguments *arguments, pm_error *err);

#endif
