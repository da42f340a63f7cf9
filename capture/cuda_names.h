/* What the names of CUDA kernels tell.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_CUDA_NAMES_H
#define PM_CAPTURE_CUDA_NAMES_H

#include "base/memory.h"

typedef struct {
    const char *name;  /* as a launch writes it: space::reduce<float, 256> */
    const char *plain; /* reduce */
    bool has_types;    /* of parameters: not of extern "C" */
    size_t type_count;
    const char **types; /* float const*, int, ... */
} pm_cuda_name;

/* Of a kernel or a variable as the driver calls it. */
pm_cuda_name pm_cuda_name_of(pm_memory *memory, const char *symbol);
/* Parts of a text between separators that are in no brackets; first of count. */
const char **pm_cuda_split(pm_memory *memory, const char *text, size_t length, size_t *count);
/* The scalar or vector of a workload file that a type is, or that it points to; a vector of three
 * is its scalar. "": none. */
const char *pm_cuda_element(pm_memory *memory, const char *type);

#endif
