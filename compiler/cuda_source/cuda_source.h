/* A CUDA source as clang gets it: with the user's headers in it, without host code, and with the
 * templates' instances that a workload launches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_SOURCE_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"
#include "base/text.h"
#include "perfmodel.h"

typedef struct {
    const char *text, *path;
    const char *build_options;  /* whose folders headers are looked for in */
    const char *const *kernels; /* as the workload calls them: sum, reduce<float, 256> */
    size_t kernel_count;
    bool
        in_place; /* for rewriting: what is left out becomes blanks, and nothing stands elsewhere */
    bool toolkit; /* NVIDIA's compiler gets it: the toolkit's headers for device code stay, and so
                   * do headers in "" that are not found */
    pm_text *missing; /* gets the names of headers in "" that are not found and are no library's,
                       * each once, with ", " between; NULL: nobody asks */
} pm_cuda_request;

/* Included files stand in the text, behind a #line each. Headers that neither the options' folders
 * nor perfmodel's own have are left out: those in <> are the host's, or the toolkit's, in whose
 * place a prelude stands, and those in "" may be for host code. *text is to be freed. */
pm_status pm_cuda_source(const pm_cuda_request *request, char **text, pm_error *err);

/* A source that is read where it stands: what pm_cuda_source() leaves out are blanks. */
typedef struct {
    char *text;
    size_t header_count;
    pm_named_text *headers; /* that it includes, by their paths, each once, in the same way */
    pm_memory memory;
} pm_cuda_in_place;

/* out's memory is to be freed either way. A source that went through a preprocessor is
 * PM_BAD_INPUT. */
pm_status pm_cuda_source_in_place(const pm_cuda_request *request, pm_cuda_in_place *out,
                                  pm_error *err);

/* What a workload may call a kernel: no more than a name, or a template's instance. */
bool pm_cuda_is_kernel(const char *name);
/* Whether the header is one of the toolkit's for device code, which NVRTC can read too. */
bool pm_cuda_is_toolkit_header(const char *name);

#endif
