/* Kernels and __constant__ variables in the text of a CUDA source, found without parsing it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_CUDA_TEXT_H
#define PM_CAPTURE_CUDA_TEXT_H

#include "base/memory.h"

typedef struct {
    size_t count;
    const char **types, **names; /* a name may be empty */
} pm_cuda_params;

/* The text without comments and texts in quotes, for the two below. */
char *pm_cuda_text_bare(pm_memory *memory, const char *text);
/* Whether the text defines a kernel of that name with so many parameters; params is filled. */
bool pm_cuda_text_kernel(pm_memory *memory, const char *bare, const char *name, size_t count,
                         pm_cuda_params *params);
/* Whether it declares a variable of that name in __constant__ memory. */
bool pm_cuda_text_constant(const char *bare, const char *name);

#endif
