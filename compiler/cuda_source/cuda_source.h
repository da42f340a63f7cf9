/* Makes the text that clang compiles from a CUDA source. It includes the user's headers and the
 * template instances that a workload launches, and lacks host code.
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
    const char *build_options;  /* their folders are searched for headers */
    const char *const *kernels; /* names in the workload, such as sum or reduce<float, 256> */
    size_t kernel_count;
    bool in_place; /* for rewriting: code that is left out becomes blanks, so that all positions
                    * stay the same */
    bool toolkit;  /* NVIDIA's compiler gets it: the toolkit's headers for device code stay, and so
                    * do headers in "" that are not found */
    pm_text *missing; /* Receives the names of headers in "" that were not found and are not part of
                         a library, each once, separated by ", ". May be NULL. */
} pm_cuda_request;

/* Included files stand in the text, behind a #line each. Headers that neither the options' folders
 * nor perfmodel's own have are left out: those in <> are the host's, or the toolkit's, in whose
 * place a prelude stands, and those in "" may be for host code. *text is to be freed. */
pm_status pm_cuda_source(const pm_cuda_request *request, char **text, pm_error *err);

/* A source with unchanged positions: blanks replace all text that pm_cuda_source() leaves out. */
typedef struct {
    char *text;
    size_t header_count;
    pm_named_text *headers; /* headers that it includes, once each */
    pm_memory memory;
} pm_cuda_in_place;

/* The caller frees out->memory in all cases. PM_BAD_INPUT if the source was preprocessed. */
pm_status pm_cuda_source_in_place(const pm_cuda_request *request, pm_cuda_in_place *out,
                                  pm_error *err);

/* True if a workload may use this name for a kernel: an identifier or a template instance. */
bool pm_cuda_is_kernel(const char *name);
/* True for a header of the toolkit for device code, which NVRTC can read too. */
bool pm_cuda_is_toolkit_header(const char *name);

#endif
