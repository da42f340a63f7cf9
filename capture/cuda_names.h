/* Reads the names of CUDA kernels and variables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_CUDA_NAMES_H
#define PM_CAPTURE_CUDA_NAMES_H

#include "base/memory.h"

typedef struct {
    const char *name;  /* full name of the kernel or variable, such as space::reduce<float, 256> */
    const char *plain; /* name without namespace and template arguments, such as reduce */
    /* true: the types of the parameters are known; false: not known, as for extern "C" */
    bool has_types;
    size_t type_count;
    const char **types; /* types of the parameters, such as float const* or int */
} pm_cuda_name;

/* Demangles the driver's name of a kernel or a variable. */
pm_cuda_name pm_cuda_name_of(pm_memory *memory, const char *symbol);
/* Splits a text at commas outside of brackets. Returns the parts, and their number in *count. */
const char **pm_cuda_split(pm_memory *memory, const char *text, size_t length, size_t *count);
/* Returns the name that workload files use for a scalar or vector type. If `type` is a pointer
 * type, returns the name of the type that it points to. A vector of three elements becomes its
 * scalar type. "" if workload files do not have the type. */
const char *pm_cuda_element(pm_memory *memory, const char *type);

#endif
