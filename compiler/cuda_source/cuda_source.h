/* Makes the text that clang compiles from a CUDA source. The text includes the user's headers and
 * the template instances that are launched, but no host code.
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
    /* nvcc's build options; headers are looked for in the folders of their -I */
    const char *build_options;
    /* kernels to compile, by name: sum, or reduce<float, 256> */
    const char *const *kernels;
    size_t kernel_count;
    /* true: blanks replace host code and other text that is not compiled, so that positions in the
     * source do not change; rewriting the source needs this */
    bool in_place;
    /* true: the text is for NVIDIA's compiler, so it keeps the #include lines of device headers of
     * the CUDA toolkit (such as cuda_fp16.h), and of headers in "" that were not found */
    bool toolkit;
    /* If not NULL, gets the names of the headers in "" that were not found and that belong to no
     * library. Each name appears once; ", " separates them. */
    pm_text *missing;
    /* true: `missing` also gets the names of headers in <> with a suffix, such as <helper.h>, but
     * not <vector> */
    bool with_angles;
} pm_cuda_request;

/* Makes the text that clang compiles. Included files are copied into the text, each after a #line
 * directive. Headers that are neither in the -I folders nor part of perfmodel are left out. If the
 * header's name is in <>, it belongs to the host or to the CUDA toolkit, and a header of perfmodel
 * replaces it. If the name is in "", the header may belong to host code. The caller frees *text. */
pm_status pm_cuda_source(const pm_cuda_request *request, char **text, pm_error *err);

/* Text of a CUDA source that is to be rewritten (not compiled). Host code and other parts that
 * pm_cuda_source() leaves out are replaced by blanks, so that every character has the same
 * position as in the original source. */
typedef struct {
    char *text;
    size_t header_count;
    pm_named_text *headers; /* headers that the source includes; each is in the list once */
    pm_memory memory;
} pm_cuda_in_place;

/* Makes a source for rewriting, in which positions do not change. The caller frees out->memory in
 * all cases. PM_BAD_INPUT if the source was preprocessed. */
pm_status pm_cuda_source_in_place(const pm_cuda_request *request, pm_cuda_in_place *out,
                                  pm_error *err);

/* Returns whether the name has the form of a kernel's name: an identifier, or a template instance
 * such as reduce<float, 256>. */
bool pm_cuda_is_kernel(const char *name);
/* Returns true if a CUDA toolkit header with device code, which NVRTC can also read, has this
 * name. */
bool pm_cuda_is_toolkit_header(const char *name);

#endif
