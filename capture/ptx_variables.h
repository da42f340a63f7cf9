/* Finds the variables of a PTX module that kernels use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CAPTURE_PTX_VARIABLES_H
#define PM_CAPTURE_PTX_VARIABLES_H

#include "base/memory.h"

/* Returns the names of the variables at module scope that the kernels use, directly or in functions
 * that they call. text: PTX. kernels: `kernel_count` names of kernels in the text. *count becomes 0
 * if the text cannot be parsed. `memory` owns the result. */
const char **pm_ptx_variables_used(pm_memory *memory, const char *text, const char **kernels,
                                   size_t kernel_count, size_t *count);

#endif
