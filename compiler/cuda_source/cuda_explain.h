/* Explains why a CUDA source does not compile and how to mend it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_EXPLAIN_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_EXPLAIN_H

#include "perfmodel.h"

/* Adds an explanation to clang's first error: why perfmodel rejects code that NVIDIA's compiler may
 * accept, and how to mend it. missing: names of headers that were left out (pm_cuda_request).
 * Returns the error's status. */
pm_status pm_cuda_explain(const char *missing, pm_error *err);

/* Returns the name that a message reports as undeclared, such as dfloat in "unknown type name
 * 'dfloat'". NULL: the message has another subject. *length: length of the name. *is_type: whether
 * the name is used as a type. */
const char *pm_cuda_undeclared(const char *message, size_t *length, bool *is_type);

#endif
