/* What the matrix products share: their buffers and the check.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_KERNELS_MATMUL_MATMUL_REFERENCE_H
#define PM_KERNELS_MATMUL_MATMUL_REFERENCE_H

#include "program/common.h"

/* Adds a, b (n x n floats, rows one after the other) and the output c, in this order, and the check
 * of c = a b: every element for n <= 512, else 1024 spread over all of it. Sets work to the
 * floating-point operations. The workload must have no buffers yet. */
void pm_matmul_buffers(pm_workload *workload, size_t n, uint64_t seed);

#endif
