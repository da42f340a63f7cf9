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
    /* build options; the folders of their -I are searched for headers */
    const char *build_options;
    /* kernels to compile, named as in the workload: sum, or reduce<float, 256> */
    const char *const *kernels;
    size_t kernel_count;
    /* true: text that is left out becomes blanks, so that positions in the source do not change;
     * needed for rewriting */
    bool in_place;
    /* true: the text is for NVIDIA's compiler; #include lines of the toolkit's device headers, and
     * of headers in "" that are not found, are kept */
    bool toolkit;
    /* gets the names of headers in "" that were not found and belong to no library, each once,
     * separated by ", "; may be NULL */
    pm_text *missing;
} pm_cuda_request;

/* Makes the text that clang compiles. Included files are copied into the text, each after a #line
 * directive. Headers that neither the -I folders nor perfmodel have are left out. Such headers in
 * <> belong to the host or to the toolkit, and a prelude replaces them. Such headers in "" may
 * belong to host code. The caller frees *text. */
pm_status pm_cuda_source(const pm_cuda_request *request, char **text, pm_error *err);

/* A source with unchanged positions: blanks replace all text that pm_cuda_source() would leave
 * out. */
typedef struct {
    char *text;
    size_t header_count;
    pm_named_text *headers; /* headers that the source includes, each once */
    pm_memory memory;
} pm_cuda_in_place;

/* Makes a text with unchanged positions. The caller frees out->memory in all cases. PM_BAD_INPUT if
 * the source was preprocessed. */
pm_status pm_cuda_source_in_place(const pm_cuda_request *request, pm_cuda_in_place *out,
                                  pm_error *err);

/* True if the name has the form that a workload may use for a kernel: an identifier or a template
 * instance. */
bool pm_cuda_is_kernel(const char *name);
/* True for a header of the CUDA toolkit with device code, which NVRTC can also read. */
bool pm_cuda_is_toolkit_header(const char *name);

#endif
