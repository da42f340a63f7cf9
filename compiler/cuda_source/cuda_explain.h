/* Explains why a CUDA source does not compile and how to mend it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_EXPLAIN_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_EXPLAIN_H

#include "perfmodel.h"

/* Adds to clang's error message why perfmodel rejects code that NVIDIA's compiler may accept, and
 * how to mend the code. missing: names of the headers that were not found (pm_cuda_request).
 * Returns the error's status. */
pm_status pm_cuda_explain(const char *missing, pm_error *err);

/* Returns the name that an error message of clang reports as undeclared, such as dfloat in "unknown
 * type name 'dfloat'". Returns NULL if the message is about something else. *length: length of the
 * name. *is_type: whether the code uses the name as a type. */
const char *pm_cuda_undeclared(const char *message, size_t *length, bool *is_type);

#endif
