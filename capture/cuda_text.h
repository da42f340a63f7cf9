/* Finds kernels and __constant__ variables in the text of a CUDA source without parsing it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_CUDA_TEXT_H
#define PM_CAPTURE_CUDA_TEXT_H

#include "base/memory.h"

typedef struct {
    size_t count;
    const char **types, **names; /* types and names of the parameters; a name may be "" */
} pm_cuda_params;

/* Returns the text without comments and string literals. pm_cuda_text_kernel and
 * pm_cuda_text_constant need a text in this form. */
char *pm_cuda_text_bare(pm_memory *memory, const char *text);
/* Returns true if the text defines a kernel with this name and `count` parameters. params gets the
 * types and names of the parameters. */
bool pm_cuda_text_kernel(pm_memory *memory, const char *bare, const char *name, size_t count,
                         pm_cuda_params *params);
/* Returns true if the text declares a __constant__ variable with this name. */
bool pm_cuda_text_constant(const char *bare, const char *name);

#endif
