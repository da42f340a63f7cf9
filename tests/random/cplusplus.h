/* Rewrites random CUDA programs with constructs of C++ that C does not have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_CPLUSPLUS_H
#define PM_TESTS_RANDOM_CPLUSPLUS_H

#include "base/text.h"
#include "program.h"

/* Rewrites a complete CUDA program with the same meaning. Some kernels and functions become
 * templates, and launches name their instances. Some elements are written through references, which
 * are variables or parameters. */
void rd_cplusplus(rd_program *program);

#endif
