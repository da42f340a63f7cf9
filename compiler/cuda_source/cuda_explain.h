/* What to do about a CUDA source that does not compile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_EXPLAIN_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_EXPLAIN_H

#include "perfmodel.h"

/* Adds to clang's first error why perfmodel does not take what NVIDIA's compiler may take, and how
 * to mend it. missing: headers that were left out (pm_cuda_request). Returns the error's status. */
pm_status pm_cuda_explain(const char *missing, pm_error *err);

/* The name that the message says is not declared, such as dfloat of "unknown type name 'dfloat'".
 * NULL: it is about another thing. length: of the name. is_type: a type is missing. */
const char *pm_cuda_undeclared(const char *message, size_t *length, bool *is_type);

#endif
