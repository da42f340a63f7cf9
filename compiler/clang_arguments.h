/* Makes the command-line arguments with which clang compiles or parses kernel sources.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CLANG_ARGUMENTS_H
#define PM_COMPILER_CLANG_ARGUMENTS_H

#include "compiler/options/build_options.h"
#include "compiler/options/libclc_names.h"

typedef struct {
    const char *clang, *libclc; /* paths of clang and of libclc's bitcode */
    /* names of the functions in libclc's bitcode, which is linked only if the source uses one */
    const pm_libclc_names *names;
    const char *headers; /* clang's resource folder, lib/clang/VERSION; required for CUDA */
    /* text of the source; OpenCL sources are compiled after a header of perfmodel, the prelude, and
     * the arguments leave out those functions of the prelude that the source does not use */
    const char *source;
    /* path of the source; its suffix, such as .cl or .cu, says the language */
    const char *source_path;
    const pm_arguments *options; /* build options, already translated to clang's */
} pm_clang_request;

/* Makes all arguments of clang for compiling a source: from clang's path to "-", by which clang
 * reads the source from standard input. */
pm_status pm_clang_arguments(const pm_clang_request *request, pm_arguments *arguments,
                             pm_error *err);

/* Makes the arguments with which libclang parses a CUDA source. The arguments start with -x (the
 * language), without clang's path, and have no options for code generation. headers: clang's
 * resource folder, lib/clang/VERSION. */
pm_status pm_cuda_parse_arguments(const char *headers, pm_arguments *arguments, pm_error *err);
/* Makes the arguments with which libclang parses a source in OpenCL C. headers: clang's resource
 * folder, lib/clang/VERSION. */
void pm_opencl_parse_arguments(const char *headers, pm_arguments *arguments);
/* Makes the arguments with which libclang parses the host code of a CUDA or HIP source, to find the
 * kernel launches in it. A prelude (compiler/cuda/host) replaces all headers except the user's
 * own. */
pm_status pm_host_parse_arguments(pm_arguments *arguments, pm_error *err);

#endif
